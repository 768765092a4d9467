import type { OperatorId } from "#core/ir";
import {
  type CollectiveStep,
  entryOfRun,
  type FlatStep,
  type LocalStep,
  type RepeatStep,
  runOf,
  type SpmdProgram,
  type Stage,
  type Step,
  type ValueId,
} from "#core/program";
import { groupedBy } from "#core/records";
import type { Cost, Hardware } from "./cost.ts";
import { measureOf, operatorSeconds, valueBytes } from "./operator-seconds.ts";

/**
 * Modelled time and traffic of one run of a program: the sum over its steps, nothing overlaps.
 *
 * An operator takes `max(flops / (0.7·F), bytes / (0.7·H))`; flops are 2 per point of the index
 * space where some axis is contracted, else none count (planner-plain.md §6); bytes are its local
 * operands and results. A collective takes the seconds of its step.
 *
 * @param sizes bytes of every value (`valueBytes`), where they are known already
 */
export function estimate(
  program: SpmdProgram,
  hardware: Hardware,
  sizes: ReadonlyMap<ValueId, number> = valueBytes(program),
): Cost {
  const measure = measureOf(program, sizes);
  const secondsOf = (step: LocalStep) => operatorSeconds(step, measure, hardware);
  const work: Work = { computeSeconds: 0, operators: [], collectives: [] };
  for (const stage of program.stages) addStage(work, stage, secondsOf);
  const { computeSeconds: computeTotal, operators, collectives } = work;
  const communicationSeconds = sum(collectives.map(({ step, count }) => count * step.seconds));
  return {
    seconds: computeTotal + communicationSeconds,
    computeSeconds: computeTotal,
    communicationSeconds,
    exposedSeconds: communicationSeconds,
    hiddenSeconds: 0,
    hostSeconds: 0,
    limit: "device",
    flops: Number.NaN,
    basis: hardware.basis,
    bytes: sum(collectives.map(({ step, count }) => count * step.bytes)),
    operators,
    collectives: byKind(collectives),
  };
}

/** A collective and how often the program runs it. */
interface Counted {
  readonly step: CollectiveStep;
  readonly count: number;
}

/** What steps add to the cost; a `repeat` its body, as often as it runs. */
interface Work {
  computeSeconds: number;
  readonly operators: Cost["operators"][number][];
  readonly collectives: Counted[];
}

/** The steps of a stage, as often as they run. */
function addStage(
  work: Work,
  { steps, runs = 1 }: Stage,
  secondsOf: (step: LocalStep) => number,
): void {
  const once: Work = { computeSeconds: 0, operators: [], collectives: [] };
  for (const step of steps) addWork(once, step, secondsOf);
  work.computeSeconds += runs * once.computeSeconds;
  for (const { operator, seconds } of once.operators) {
    work.operators.push({ operator, seconds: runs * seconds });
  }
  for (const { step, count } of once.collectives) {
    work.collectives.push({ step, count: runs * count });
  }
}

function addWork(work: Work, step: Step, secondsOf: (step: LocalStep) => number): void {
  if (step.kind === "collective") work.collectives.push({ step, count: 1 });
  else if (step.kind === "local") {
    const seconds = secondsOf(step);
    work.computeSeconds += seconds;
    work.operators.push({ operator: step.operator, seconds });
  } else {
    const repeated = workOfRepeat(step, secondsOf);
    work.computeSeconds += repeated.computeSeconds;
    for (const each of repeated.operators) work.operators.push(each);
    for (const each of repeated.collectives) work.collectives.push(each);
  }
}

function workOfRepeat(step: RepeatStep, secondsOf: (step: LocalStep) => number): Work {
  const runs = Array.from({ length: step.count }, (_, run) => entryOfRun(step, run));
  return workOfBody(runOf(step, 0), step.count, secondsOf, (_, at) => {
    const names = step.names[at];
    return names?.kind === "local" ? runs.flatMap((entry) => names.operators[entry] ?? []) : [];
  });
}

function workOfBody(
  body: readonly FlatStep[],
  count: number,
  secondsOf: (step: LocalStep) => number,
  operatorsOf: (step: LocalStep, at: number) => readonly OperatorId[],
): Work {
  const locals = body.flatMap((step, at) =>
    step.kind === "local" ? [{ seconds: secondsOf(step), names: operatorsOf(step, at) }] : [],
  );
  return {
    computeSeconds: count * sum(locals.map(({ seconds }) => seconds)),
    operators: Array.from({ length: count }, (_, run) =>
      locals.flatMap(({ seconds, names }) =>
        names.slice(run, run + 1).map((operator) => ({ operator, seconds })),
      ),
    ).flat(),
    collectives: body.flatMap((step) => (step.kind === "collective" ? [{ step, count }] : [])),
  };
}

/** Collectives of one kind on one set of axes together. */
export function byKind(steps: readonly Counted[]): Cost["collectives"] {
  const groups = groupedBy(steps, (each) => `${each.step.collective} ${each.step.axes.join(",")}`);
  return [...groups.values()].map((group) => ({
    collective: group[0]?.step.collective ?? "slice",
    axes: group[0]?.step.axes ?? [],
    count: sum(group.map(({ count }) => count)),
    bytes: sum(group.map(({ step, count }) => count * step.bytes)),
    seconds: sum(group.map(({ step, count }) => count * step.seconds)),
  }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
