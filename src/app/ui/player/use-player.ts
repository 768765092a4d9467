import { useDeferredValue, useMemo } from "react";
import { allSteps, saidNames } from "#app/scene";
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
import { drawn, selectedRedistribution, shown } from "#app/state";
import type { Compiled } from "#compile";
import { bytesAsked, useIsAsked } from "../lesson/asked.tsx";
import { useApp, useAppStore } from "../store-context.tsx";
import { goToPlace, shownFrames } from "./go-to-place.ts";

const phases = ["before", "move", "after"] as const;

/** The still of the frame that is drawn in full. */
export type PlayerPhase = (typeof phases)[number];

export interface Player {
  /** The frame of a collective, or of an operator; neither before the first step. */
  readonly frame: Frame | undefined;
  readonly operator: OperatorFrame | undefined;
  readonly phase: PlayerPhase;
  /** Position in the redistribution, 0 to `last`. */
  readonly position: number;
  readonly last: number;
  /** The redistribution's own number. */
  readonly index: number | undefined;
  /** The number of the redistribution among all, from 1. */
  readonly ordinal: number;
  readonly count: number;
  /** The steps of the whole program, the index of the shown one, and its run of equal blocks. */
  readonly steps: readonly PlayedStep[];
  readonly at: number;
  readonly run: number;
  /** The step's place among all steps of the program. */
  readonly place: number | undefined;
  /** Moves by one still, beyond the ends into the neighbouring step. */
  readonly back: (() => void) | undefined;
  readonly forth: (() => void) | undefined;
  /** Goes to the redistribution before this one; `undefined` at the first. */
  readonly before: (() => void) | undefined;
  readonly behind: (() => void) | undefined;
  /** Goes to a step of the program, by its place in `steps`. */
  readonly goToStep: (at: number, end?: "move" | "last") => void;
}

/** The position of the step view in the plan, and actions that move it. */
export function usePlayer(): Player | undefined {
  const compiled = useApp(shown);
  const drawing = useApp(drawn);
  const redistribution = useApp(selectedRedistribution);
  const wanted = useApp((state) => state.frame);
  const hops = useApp((state) => state.hops);
  const store = useAppStore();
  const index = redistribution?.index;
  const operatorAt = useOperatorPlace(drawing);
  const isKept = useIsAsked("comm");
  const frames = useMemo(() => {
    if (drawing === undefined || index === undefined) return [];
    const all = shownFrames(drawing, index, hops);
    return isKept ? all.map((frame) => ({ ...frame, caption: bytesAsked })) : all;
  }, [drawing, index, hops, isKept]);
  const operator = useMemo(
    () =>
      drawing === undefined || operatorAt === undefined
        ? undefined
        : operatorFrameOf(drawing, operatorAt),
    [drawing, operatorAt],
  );
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

/** The place of the shown operator, while there is one. */
function useOperatorPlace(drawing: Compiled | undefined): number | undefined {
  const place = useApp((state) => state.playedStep);
  if (place === undefined || drawing === undefined) return undefined;
  return allSteps(drawing.program)[place]?.kind === "local" ? place : undefined;
}

const noSteps: readonly PlayedStep[] = [];

/**
 * The walk through all steps of the drawn program, computed after the parts that are drawn at once.
 */
function useSteps(): readonly PlayedStep[] {
  const placed = useDeferredValue(
    useApp((state) => state.laidOut),
    undefined,
  );
  const compiled = placed?.of;
  // Computed once, by the canvas layout.
  const runs = placed?.layout.stepRuns;
  return useMemo(
    () =>
      compiled === undefined ? noSteps : playedSteps(compiled.program, runs, saidNames(compiled)),
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

/** Inside equal blocks the run stays the same; elsewhere the first run is shown. */
function runAt(steps: readonly PlayedStep[], from: number, to: number, run: number): number {
  const [here, there] = [steps[from], steps[to]];
  return here !== undefined && here.count > 1 && here.start === there?.start ? run : 0;
}

/**
 * The nearest redistributions before and after a place of the program, in the order of the steps.
 */
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
