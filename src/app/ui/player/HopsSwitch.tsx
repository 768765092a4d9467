import { memo } from "react";
import type { Frame } from "#app/scene/player";
import { Segmented } from "../atoms/Segmented.tsx";
import { useApp } from "../store-context.tsx";

const once = ["logical", "At once"] as const;
const hopByHop = [once, ["ring", "Ring"]] as const;
const roundByRound = [once, ["ring", "Rounds"]] as const;

/**
 * Whether the collectives of a ring are shown as one move or hop by hop, and an all-to-all round by
 * round.
 */
export const HopsSwitch = memo(function HopsSwitch({ frame }: { readonly frame: Frame }) {
  const hops = useApp((state) => state.hops);
  const show = useApp((state) => state.showHops);
  if (!frame.canGoRound) return null;
  const choices = frame.collective === "all-to-all" ? roundByRound : hopByHop;
  return <Segmented label="Hops" value={hops} choices={choices} onChange={show} />;
});
