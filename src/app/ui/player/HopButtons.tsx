import { ChevronsLeft, ChevronsRight } from "lucide-react";
import { IconButton } from "../atoms/IconButton.tsx";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { useApp } from "../store-context.tsx";
import { hopAfter, hopBefore } from "./hops.ts";
import type { Player } from "./use-player.ts";

/** Buttons that move by whole hops of a ring, to the frame in which a hop has arrived. */
export function HopButtons({ player: { frame, position, last } }: { readonly player: Player }) {
  const isRing = useApp((state) => state.hops === "ring");
  const show = useApp((state) => state.showFrame);
  const isHere = isRing && frame?.canGoRound === true;
  const back = isHere && position > 0 ? () => show(hopBefore(position)) : undefined;
  const forth = isHere && position < last ? () => show(hopAfter(position)) : undefined;
  useLetterKeys({ "<": back, ">": forth });
  if (!isHere) return null;
  return (
    <span className="hop-buttons">
      <IconButton
        icon={ChevronsLeft}
        name="Previous hop"
        disabled={back === undefined}
        onClick={back}
      />
      <IconButton
        icon={ChevronsRight}
        name="Next hop"
        disabled={forth === undefined}
        onClick={forth}
      />
    </span>
  );
}
