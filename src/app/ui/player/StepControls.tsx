import { ChevronLeft, ChevronRight } from "lucide-react";
import type { Player } from "./use-player.ts";

const phaseNames = { before: "before", move: "what moves", after: "after" } as const;

/** Back and forth through the stills, over all redistributions. */
export function StepControls({ player }: { readonly player: Player }) {
  const { position, last, ordinal, count, phase, back, forth, go } = player;
  return (
    <div className="ctl">
      <span className="mut nowrap">
        {ordinal} of {count}
      </span>
      <button
        type="button"
        className="btn sq"
        data-testid="step-prev"
        aria-label="Previous step"
        title="Previous step"
        disabled={back === undefined}
        onClick={back}
      >
        <ChevronLeft className="ico" size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
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
      <button
        type="button"
        className="btn sq"
        data-testid="step-next"
        aria-label="Next step"
        title="Next step"
        disabled={forth === undefined}
        onClick={forth}
      >
        <ChevronRight className="ico" size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
      <span className="phase-name mut">{phaseNames[phase]}</span>
    </div>
  );
}
