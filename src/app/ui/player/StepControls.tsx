import { ChevronLeft, ChevronRight } from "lucide-react";
import { IconButton } from "../atoms/IconButton.tsx";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { StepList } from "./StepList.tsx";
import type { Player } from "./use-player.ts";

const phaseNames = { before: "before", move: "what moves", after: "after" } as const;

/** Back and forth through the stills, over all redistributions. */
export function StepControls({ player }: { readonly player: Player }) {
  const { position, last, phase, back, forth, go } = player;
  useLetterKeys({ ",": back, ".": forth, "[": player.before, "]": player.behind });
  return (
    <div className="ctl">
      <StepList player={player} />
      <IconButton
        icon={ChevronLeft}
        name="Previous step"
        testId="step-prev"
        disabled={back === undefined}
        onClick={back}
      />
      <input
        className="scrub"
        type="range"
        min={0}
        max={last}
        value={position}
        aria-label="Step"
        aria-valuetext={phaseNames[phase]}
        onChange={(event) => go(Number(event.currentTarget.value))}
      />
      <IconButton
        icon={ChevronRight}
        name="Next step"
        testId="step-next"
        disabled={forth === undefined}
        onClick={forth}
      />
      <span className="phase-name mut">{phaseNames[phase]}</span>
    </div>
  );
}
