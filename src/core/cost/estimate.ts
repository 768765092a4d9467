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
import { measureOf } from "./local-operator.ts";
import { type OperatorWork, operatorWork, valueBytes } from "./operator-seconds.ts";

/**
 * Modelled time and traffic of one run of a program: the sum over its steps, nothing overlaps. An
 * operator takes what its kernels do (`kernelsOf`), a collective the seconds of its step.
 *
 * @param sizes bytes of every value (`valueBytes`), where they are known already
 */
export function estimate(
  program: SpmdProgram,
  hardware: Hardware,
  sizes: ReadonlyMap<ValueId, number> = valueBytes(program),
): Cost {
  const measure = measureOf(program, sizes);
  const workOf = (step: LocalStep) => operatorWork(step, measure, hardware);
  const work = noWork();
  for (const stage of program.stages) addStage(work, stage, workOf);
  const { operators, collectives } = work;
  const computeTotal = loneSeconds(work, program);
  const communicationSeconds = sum(collectives.map(({ step, count }) => count * step.seconds));
  return {
    seconds: computeTotal + communicationSeconds,
    computeSeconds: computeTotal,
    communicationSeconds,
    exposedSeconds: communicationSeconds,
    hiddenSeconds: 0,
    hostSeconds: 0,
    limit: "device",
    flops: work.operations,
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
  operations: number;
  /** Steps that run kernels, and what the host needs to launch these. */
  launched: number;
  launchSeconds: number;
  readonly operators: Cost["operators"][number][];
  readonly collectives: Counted[];
}

type WorkOf = (step: LocalStep) => OperatorWork;

function noWork(): Work {
  return {
    computeSeconds: 0,
    operations: 0,
    launched: 0,
    launchSeconds: 0,
    operators: [],
    collectives: [],
  };
}

/** A program of one kernel takes as long as the host needs to launch it, if that is longer. */
function loneSeconds(
  { computeSeconds, launched, launchSeconds, operators }: Work,
  { graph }: SpmdProgram,
): number {
  const isForward = graph.operators.every(({ phase }) => phase === undefined);
  const isLone = launched === 1 && isForward && operators.length === graph.operators.length;
  return isLone ? Math.max(launchSeconds, computeSeconds) : computeSeconds;
}

/** The steps of a stage, as often as they run. */
function addStage(work: Work, { steps, runs = 1 }: Stage, workOf: WorkOf): void {
  const once = noWork();
  for (const step of steps) addWork(once, step, workOf);
  work.computeSeconds += runs * once.computeSeconds;
  work.operations += runs * once.operations;
  work.launched += runs * once.launched;
  work.launchSeconds += runs * once.launchSeconds;
  for (const { operator, seconds } of once.operators) {
    work.operators.push({ operator, seconds: runs * seconds });
  }
  for (const { step, count } of once.collectives) {
    work.collectives.push({ step, count: runs * count });
  }
}

function addWork(work: Work, step: Step, workOf: WorkOf): void {
  if (step.kind === "collective") work.collectives.push({ step, count: 1 });
  else if (step.kind === "local") {
    const { seconds, operations, launchSeconds } = workOf(step);
    work.computeSeconds += seconds;
    work.operations += operations;
    work.launched += launchSeconds > 0 ? 1 : 0;
    work.launchSeconds += launchSeconds;
    work.operators.push({ operator: step.operator, seconds });
  } else {
    const repeated = workOfRepeat(step, workOf);
    work.computeSeconds += repeated.computeSeconds;
    work.operations += repeated.operations;
    work.launched += repeated.launched;
    work.launchSeconds += repeated.launchSeconds;
    for (const each of repeated.operators) work.operators.push(each);
    for (const each of repeated.collectives) work.collectives.push(each);
  }
}

function workOfRepeat(step: RepeatStep, workOf: WorkOf): Work {
  const runs = Array.from({ length: step.count }, (_, run) => entryOfRun(step, run));
  return workOfBody(runOf(step, 0), step.count, workOf, (_, at) => {
    const names = step.names[at];
    return names?.kind === "local" ? runs.flatMap((entry) => names.operators[entry] ?? []) : [];
  });
}

function workOfBody(
  body: readonly FlatStep[],
  count: number,
  workOf: WorkOf,
  operatorsOf: (step: LocalStep, at: number) => readonly OperatorId[],
): Work {
  const locals = body.flatMap((step, at) =>
    step.kind === "local" ? [{ ...workOf(step), names: operatorsOf(step, at) }] : [],
  );
  return {
    computeSeconds: count * sum(locals.map(({ seconds }) => seconds)),
    operations: count * sum(locals.map(({ operations }) => operations)),
    launched: count * locals.filter(({ launchSeconds }) => launchSeconds > 0).length,
    launchSeconds: count * sum(locals.map(({ launchSeconds }) => launchSeconds)),
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
