import { useMemo } from "react";
import { type Frame, framesOf } from "#app/scene";
import { drawn, selectedRedistribution, shown } from "#app/state";
import { useApp } from "../store-context.tsx";

const phases = ["before", "move", "after"] as const;

/** Which of the three stills of a frame stands out. */
export type PlayerPhase = (typeof phases)[number];

export interface Player {
  readonly frame: Frame | undefined;
  readonly phase: PlayerPhase;
  /** Position in the redistribution, 0 to `last`. */
  readonly position: number;
  readonly last: number;
  /** The redistribution's own number. */
  readonly index: number;
  /** Which redistribution of how many, from 1. */
  readonly ordinal: number;
  readonly count: number;
  /** One still back or forth, over the ends into the neighbouring redistribution. */
  readonly back: (() => void) | undefined;
  readonly forth: (() => void) | undefined;
  /** To the redistribution before and behind this one. */
  readonly before: (() => void) | undefined;
  readonly behind: (() => void) | undefined;
  readonly go: (position: number) => void;
}

/** The step view's place in the plan, and how to move it. */
export function usePlayer(): Player | undefined {
  const compiled = useApp(shown);
  const drawing = useApp(drawn);
  const redistribution = useApp(selectedRedistribution);
  const wanted = useApp((state) => state.frame);
  const go = useApp((state) => state.showFrame);
  const select = useApp((state) => state.select);
  const index = redistribution?.index;
  const frames = useMemo(
    () => (drawing === undefined || index === undefined ? [] : framesOf(drawing, index)),
    [drawing, index],
  );
  if (compiled === undefined || redistribution === undefined) return undefined;
  const all = compiled.program.redistributions;
  const at = all.indexOf(redistribution);
  const last = Math.max(0, frames.length * phases.length - 1);
  const position = Math.min(wanted, last);
  const goTo = (next: (typeof all)[number] | undefined, frame: number) => {
    if (next === undefined) return undefined;
    return () => {
      select({ redistribution: next.index, tensor: next.tensor });
      go(frame);
    };
  };
  return {
    frame: frames[Math.floor(position / phases.length)],
    phase: phases[position % phases.length] ?? "move",
    position,
    last,
    index: redistribution.index,
    ordinal: at + 1,
    count: all.length,
    back: position > 0 ? () => go(position - 1) : goTo(all[at - 1], Number.MAX_SAFE_INTEGER),
    forth: position < last ? () => go(position + 1) : goTo(all[at + 1], 0),
    before: goTo(all[at - 1], 1),
    behind: goTo(all[at + 1], 1),
    go,
  };
}
