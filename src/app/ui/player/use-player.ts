import { useDeferredValue, useMemo } from "react";
import { allSteps, displayNames } from "#app/scene";
import {
  type Frame,
  type OperatorFrame,
  operatorFrameOf,
  type PlayedStep,
  playedIndex,
  playedPlace,
  playedSteps,
} from "#app/scene/player";
import { collectiveAt } from "#app/scene/text";
import { type AppState, drawn, selectedRedistribution, shown } from "#app/state";
import type { Compiled } from "#compile";
import { bytesAsked, useIsAsked } from "../lesson/asked.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import { goToPlace, shownFrames } from "./go-to-place.ts";

const phases = ["before", "move", "after"] as const;

/** Emphasised still of a frame: before, moving or after. */
export type PlayerPhase = (typeof phases)[number];

export interface Player {
  /** Picture of a collective (`frame`) or of an operator; neither before the first step. */
  readonly frame: Frame | undefined;
  readonly operator: OperatorFrame | undefined;
  readonly phase: PlayerPhase;
  /** Still within the redistribution, 0 to `last`. */
  readonly position: number;
  readonly last: number;
  /** Index of the redistribution in the program. */
  readonly index: number | undefined;
  /** Number of the redistribution among all, from 1. */
  readonly ordinal: number;
  readonly count: number;
  /** Steps of the whole program, the shown one's index, and the shown run of equal blocks. */
  readonly steps: readonly PlayedStep[];
  readonly at: number;
  readonly run: number;
  /** Place of the step among all steps of the program. */
  readonly place: number | undefined;
  /**
   * Go by one still, across the ends into the neighbouring step; `undefined` at the ends of the
   * program.
   */
  readonly back: (() => void) | undefined;
  readonly forth: (() => void) | undefined;
  /** Go to the previous and the next redistribution; `undefined` at the first and the last. */
  readonly before: (() => void) | undefined;
  readonly behind: (() => void) | undefined;
  /** Goes to a step of the program, by its index in `steps`. */
  readonly goToStep: (at: number, end?: "move" | "last") => void;
}

/**
 * Position of the step view in the program, and the actions that move it; `undefined` without a
 * plan.
 */
export function usePlayer(): Player | undefined {
  const compiled = useApp(shown);
  const drawing = useApp(drawn);
  const redistribution = useApp(selectedRedistribution);
  const wanted = useApp((state) => state.frame);
  const hops = useApp((state) => state.hops);
  const store = useAppStore();
  const index = redistribution?.index;
  const operatorAt = useOperatorPlace(drawing);
  const frames = useFrames(drawing, index, hops);
  const operator = useOperatorFrame(drawing, operatorAt);
  const steps = useSteps();
  if (compiled === undefined || drawing === undefined) return undefined;
  const last = Math.max(0, frames.length * phases.length - 1);
  const position = Math.min(wanted, last);
  const frame = operator === undefined ? frames[Math.floor(position / phases.length)] : undefined;
  const place = operatorAt ?? placeOfFrame(drawing, index, frame);
  const { at, run } = place === undefined ? { at: -1, run: 0 } : playedPlace(steps, place);
  const goTo = (to: number, end: "first" | "move" | "last") => {
    const step = steps[to];
    if (step === undefined) return undefined;
    return () =>
      goToPlace(store.getState(), drawing, playedIndex(step, runAt(steps, at, to, run)), end);
  };
  const all = compiled.program.redistributions;
  const ordinal = redistribution === undefined ? 0 : all.indexOf(redistribution) + 1;
  const inside = (next: number) => () => store.getState().showFrame(next);
  const isInside = frame !== undefined;
  const near = redistributionsAround(drawing, place);
  const toRedistribution = (next: number | undefined) => {
    const found = all.find((each) => each.index === next);
    if (found === undefined) return undefined;
    return () => store.getState().select({ redistribution: found.index, tensor: found.tensor });
  };
  return {
    frame,
    operator,
    phase: phases[position % phases.length] ?? "move",
    position,
    last,
    index,
    ordinal,
    count: all.length,
    steps,
    at,
    run,
    place,
    back: isInside && position > 0 ? inside(position - 1) : goTo(at - 1, "last"),
    forth: isInside && position < last ? inside(position + 1) : goTo(at + 1, "first"),
    before: toRedistribution(near.before),
    behind: toRedistribution(near.behind),
    goToStep: (to, end = "move") => goTo(to, end)?.(),
  };
}

/** Place of the played step if it is an operator, else `undefined`. */
function useOperatorPlace(drawing: Compiled | undefined): number | undefined {
  const place = useApp((state) => state.playedStep);
  if (place === undefined || drawing === undefined) return undefined;
  return allSteps(drawing.program)[place]?.kind === "local" ? place : undefined;
}

/** Frames of a redistribution; without byte counts while a lesson asks for them. */
function useFrames(
  drawing: Compiled | undefined,
  index: number | undefined,
  hops: AppState["hops"],
): readonly Frame[] {
  const isKept = useIsAsked("comm");
  return useMemo(() => {
    if (drawing === undefined || index === undefined) return [];
    const all = shownFrames(drawing, index, hops);
    return isKept ? all.map((frame) => ({ ...frame, caption: bytesAsked })) : all;
  }, [drawing, index, hops, isKept]);
}

/** Picture of the operator at a place of the program. */
function useOperatorFrame(
  drawing: Compiled | undefined,
  place: number | undefined,
): OperatorFrame | undefined {
  return useMemo(
    () =>
      drawing === undefined || place === undefined ? undefined : operatorFrameOf(drawing, place),
    [drawing, place],
  );
}

const noSteps: readonly PlayedStep[] = [];

/** Steps of the program on the canvas; computed after more urgent rendering. */
function useSteps(): readonly PlayedStep[] {
  const placed = useDeferredValue(
    useApp((state) => state.laidOut),
    undefined,
  );
  const compiled = placed?.of;
  // Runs of equal steps were found once, with the layout.
  const runs = placed?.layout.stepRuns;
  return useMemo(
    () =>
      compiled === undefined
        ? noSteps
        : playedSteps(compiled.program, runs, displayNames(compiled)),
    [compiled, runs],
  );
}

function placeOfFrame(
  compiled: Compiled,
  index: number | undefined,
  frame: Frame | undefined,
): number | undefined {
  if (index === undefined || frame === undefined) return undefined;
  return collectiveAt(compiled.program, index, frame.step)?.step;
}

/** Shown run of equal blocks after a move: the same inside the blocks, else the first. */
function runAt(steps: readonly PlayedStep[], from: number, to: number, run: number): number {
  const [here, there] = [steps[from], steps[to]];
  return here !== undefined && here.count > 1 && here.start === there?.start ? run : 0;
}

/** Redistributions before and after a place of the program, in the order of the steps. */
function redistributionsAround(
  { program }: Compiled,
  place: number | undefined,
): { readonly before: number | undefined; readonly behind: number | undefined } {
  const flat = allSteps(program);
  const here = place === undefined ? undefined : flat[place];
  const own = here?.kind === "collective" ? here.reshard : undefined;
  const of = (step: (typeof flat)[number] | undefined) =>
    step?.kind === "collective" && step.reshard !== own ? step.reshard : undefined;
  const at = place ?? -1;
  return {
    before: of(flat.slice(0, Math.max(0, at)).findLast((step) => of(step) !== undefined)),
    behind: of(flat.slice(at + 1).find((step) => of(step) !== undefined)),
  };
}
