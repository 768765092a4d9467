import type { FlatStep, SpmdProgram } from "#core/program";
import type { DisplayNames } from "../display-names.ts";
import { allSteps, microbatchesAt, type StepRuns, stepRunsOf } from "../folded.ts";

/** A stop of the step player: an operator, or a collective that moves or changes something. */
export interface PlayedStep {
  readonly kind: "operator" | "collective";
  /** Index among all steps of the program; inside equal blocks that of the first run. */
  readonly place: number;
  /** Number of equal blocks that the stop represents; 1 outside them. */
  readonly count: number;
  /** Number of microbatches that the step runs for; 1 without microbatches. */
  readonly microbatches: number;
  /**
   * First step index and number of steps of the stop's block; outside equal blocks `place` and 1.
   */
  readonly start: number;
  readonly period: number;
  /**
   * Operator as an assignment `h = project(x, w1)`, or collective with its tensor, `all-gather mp
   * of h`.
   */
  readonly title: string;
}

/** A stop and the run of its block, from 0; `at` is -1 before the first stop. */
export interface PlayedPlace {
  readonly at: number;
  readonly run: number;
}

/**
 * The stops of the step player, in program order. Consecutive equal blocks are played once; slices
 * that move nothing are left out.
 *
 * @param runs the equal blocks, if already computed
 * @param said display names of operators and tensors; names of the text if absent
 */
export function playedSteps(
  program: SpmdProgram,
  runs: readonly StepRuns[] = stepRunsOf(program),
  said?: DisplayNames,
): readonly PlayedStep[] {
  const flat = allSteps(program);
  const microbatchesOf = microbatchesAt(program);
  const runAt = new Map(runs.map((each) => [each.start, each]));
  const stops: (Omit<PlayedStep, "title"> & { readonly step: FlatStep })[] = [];
  for (let start = 0; start < flat.length; ) {
    const { count, period } = runAt.get(start) ?? once;
    for (const [at, step] of flat.slice(start, start + period).entries()) {
      if (isIdle(step)) continue;
      const kind = step.kind === "local" ? "operator" : "collective";
      const place = start + at;
      stops.push({ kind, place, count, microbatches: microbatchesOf(place), start, period, step });
    }
    start += count * period;
  }
  const titleOf =
    said === undefined
      ? titles(
          program,
          stops.map(({ step }) => step),
        )
      : saidTitles(said);
  return stops.map(({ step, ...stop }) => ({ ...stop, title: titleOf(step) }));
}

/** Run data of a step outside equal blocks. */
const once = { count: 1, period: 1 };

/** The stop that plays a step; for a step without a stop, the last stop before it. */
export function playedPlace(stops: readonly PlayedStep[], place: number): PlayedPlace {
  const at = stops.findLastIndex((stop) => stop.place <= place);
  const stop = stops[at];
  if (stop === undefined) return { at: -1, run: 0 };
  const run = Math.min(stop.count - 1, Math.floor((place - stop.start) / stop.period));
  const first = place - run * stop.period;
  return { at: stops.findLastIndex((each) => each.place <= first), run };
}

/** Index among all steps that a stop plays in run `run` of its block. */
export function playedIndex(stop: PlayedStep, run: number): number {
  return stop.place + Math.min(run, stop.count - 1) * stop.period;
}

function isIdle(step: FlatStep): boolean {
  return step.kind === "collective" && step.collective === "slice" && step.moves.length === 0;
}

function saidTitles(said: DisplayNames): (step: FlatStep) => string {
  return (step) => {
    if (step.kind === "local") return said.made(step.operator);
    return `${[step.collective, ...step.axes].join(" ")} of ${said.value(step.input)}`;
  };
}

/** Titles of steps, built on demand, since few of a large program's titles are shown. */
function titles(
  { graph, values }: SpmdProgram,
  steps: readonly FlatStep[],
): (step: FlatStep) => string {
  const wanted = new Set<string>(
    steps.map((step) => (step.kind === "local" ? step.operator : step.input)),
  );
  const sent = values.filter(({ id }) => wanted.has(id));
  const sentTensors = new Set(sent.map(({ tensor }) => tensor));
  const operators = new Map(
    graph.operators.filter(({ id }) => wanted.has(id)).map((each) => [each.id, each]),
  );
  const names = new Map(
    graph.tensors.filter(({ id }) => sentTensors.has(id)).map(({ id, name }) => [id, name]),
  );
  const tensors = new Map(sent.map(({ id, tensor }) => [id, names.get(tensor) ?? tensor]));
  return (step) => {
    if (step.kind === "local") {
      const operator = operators.get(step.operator);
      return operator === undefined ? step.operator : `${operator.name} = ${operator.call}`;
    }
    const moves = [step.collective, ...step.axes].join(" ");
    return `${moves} of ${tensors.get(step.input) ?? step.input}`;
  };
}
