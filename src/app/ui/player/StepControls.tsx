import type { CSSProperties } from "react";
import { holdSlider } from "../gesture/hold-pointer.ts";
import { useLetterKeys } from "../palette/use-letter-keys.ts";
import { BackButton, ForthButton, PlayButton } from "./StepButtons.tsx";
import { StepList } from "./StepList.tsx";
import type { Player } from "./use-player.ts";
import { usePlaying } from "./use-playing.ts";

type Progress = CSSProperties & Record<"--done", string>;

const phaseNames = { before: "before", move: "what moves", after: "after" } as const;

/** Moves through the stills of the whole program, by hand or by playing. */
export function StepControls({ player }: { readonly player: Player }) {
  const { back, forth, at, steps } = player;
  const toggle = usePlaying(player);
  useLetterKeys({
    ",": back,
    ".": forth,
    "[": player.before,
    "]": player.behind,
    " ": steps.length > 0 ? toggle : undefined,
  });
  return (
    <div className="ctl">
      {player.count > 0 && <StepList player={player} />}
      <PlayButton player={player} toggle={toggle} />
      <BackButton player={player} />
      <input
        className="scrub"
        type="range"
        onPointerDown={holdSlider}
        min={0}
        max={Math.max(0, steps.length - 1)}
        value={Math.max(0, at)}
        style={progress(at, steps.length)}
        aria-label="Step"
        aria-valuetext={valueText(player)}
        title={valueText(player)}
        onChange={(event) => player.goToStep(Number(event.currentTarget.value))}
      />
      <ForthButton player={player} />
      <span className="phase-name mut">{phaseText(player)}</span>
    </div>
  );
}

/** The position of the slider's knob. */
function progress(at: number, count: number): Progress {
  const share = count < 2 ? 0 : Math.max(0, at) / (count - 1);
  return { "--done": `${(100 * share).toFixed(2)}%` };
}

/** `what moves, step 2 of 3: all-gather mp of h, 24 times`. */
function valueText(player: Player): string {
  const { steps, at, run, frame } = player;
  const step = steps[at];
  if (step === undefined) return "before the first step";
  const runs =
    step.count === 1 ? "" : run === 0 ? `, ${step.count} times` : `, ${run + 1} of ${step.count}`;
  const each = step.microbatches === 1 ? "" : `, in each of ${step.microbatches} micro-batches`;
  const phase = frame === undefined ? "" : `${phaseNames[player.phase]}, `;
  return `${phase}step ${at + 1} of ${steps.length}: ${step.title}${runs}${each}`;
}

function phaseText({ frame, operator, phase }: Player): string {
  if (operator !== undefined) return "runs";
  return frame === undefined ? "" : phaseNames[phase];
}
