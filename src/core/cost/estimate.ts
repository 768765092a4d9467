import { sum } from "#core/arithmetic";
import type { OperatorId } from "#core/ir";
import {
  type CollectiveStep,
  type FlatStep,
  flatSteps,
  type LocalStep,
  type SpmdProgram,
  type ValueId,
} from "#core/program";
import { groupedBy } from "#core/records";
import { type Schedule, type StepUse, schedule, usesOf } from "#core/schedule";
import { onceForAlike } from "./alike-steps.ts";
import { runningOf } from "./contention.ts";
import type { Cost, Hardware } from "./cost.ts";
import { measureOf } from "./local-operator.ts";
import { type OperatorWork, operatorWork, valueBytes } from "./operator-seconds.ts";
import type { RunRules } from "./run-rules.ts";
import { createStepTimeCache, type StepTimeCache, worksFor } from "./step-time-cache.ts";
import { stepTimes } from "./step-times.ts";

/** The schedule of a program, and the cost that follows from it. */
export interface ScheduledCost {
  readonly cost: Cost;
  readonly schedule: Schedule;
}

/**
 * Modelled time and traffic of one run of a program: the length of its schedule, in which an
 * operator takes the seconds of its kernels and a collective the seconds of its step.
 *
 * @param sizes bytes of every value (`valueBytes`), where the caller has them
 * @param known times of the steps of earlier versions of the program
 */
export function estimateWithSchedule(
  program: SpmdProgram,
  hardware: Hardware,
  sizes: ReadonlyMap<ValueId, number> = valueBytes(program),
  rules: RunRules = {},
  known: StepTimeCache = createStepTimeCache(),
): ScheduledCost {
  const measure = measureOf(program, sizes);
  const running = runningOf(program, hardware, rules);
  const { overlap = "none" } = rules;
  const steps = flatSteps(program);
  const found = worksFor(known, program, hardware, running);
  const work = (step: LocalStep) => operatorWork(step, measure, hardware, running);
  const workIn = onceForAlike(measure, work, found);
  const works = steps.map((step) => (step.kind === "local" ? workIn(step) : noWork));
  const timeOf = stepTimes(program, works, hardware, rules);
  const { node } = hardware;
  const times = schedule(program, timeOf, { overlap, ...(node !== undefined && { node }) });
  const uses = usesOf(times);
  const { operators, sent } = workOf(steps, uses);
  return {
    schedule: times,
    cost: {
      seconds: times.seconds,
      computeSeconds: times.compute,
      communicationSeconds: times.communication,
      exposedSeconds: times.exposed,
      hiddenSeconds: times.hidden,
      hostSeconds: times.host,
      limit: times.limit,
      flops: operationsOf(works, uses),
      basis: hardware.basis,
      bytes: sum(sent.map(({ step, count }) => count * step.bytes)),
      operators,
      collectives: byKind(sent),
    },
  };
}

/** The cost of a program: the figures of `estimateWithSchedule` without the schedule. */
export function estimate(
  program: SpmdProgram,
  hardware: Hardware,
  sizes: ReadonlyMap<ValueId, number> = valueBytes(program),
  rules: RunRules = {},
): Cost {
  return estimateWithSchedule(program, hardware, sizes, rules).cost;
}

/** A collective, how often the program runs it, and how long that takes in all. */
export interface Counted {
  readonly step: CollectiveStep;
  readonly count: number;
  readonly seconds: number;
}

/** The seconds of each step over all its runs, operators and collectives apart. */
function workOf(steps: readonly FlatStep[], uses: readonly StepUse[]) {
  const operators: { readonly operator: OperatorId; readonly seconds: number }[] = [];
  const sent: Counted[] = [];
  for (const [at, step] of steps.entries()) {
    const { count = 0, seconds = 0 } = uses[at] ?? {};
    if (step.kind === "local") operators.push({ operator: step.operator, seconds });
    else sent.push({ step, count, seconds });
  }
  return { operators, sent };
}

const noWork: OperatorWork = { seconds: 0, operations: 0, launchSeconds: 0 };

function operationsOf(works: readonly OperatorWork[], uses: readonly StepUse[]): number {
  return sum(works.map(({ operations }, at) => (uses[at]?.count ?? 0) * operations));
}

/** Collectives of one kind on one set of axes together. */
export function byKind(steps: readonly Counted[]): Cost["collectives"] {
  const groups = groupedBy(steps, (each) => `${each.step.collective} ${each.step.axes.join(",")}`);
  return [...groups.values()].map((group) => ({
    collective: group[0]?.step.collective ?? "slice",
    axes: group[0]?.step.axes ?? [],
    count: sum(group.map(({ count }) => count)),
    bytes: sum(group.map(({ step, count }) => count * step.bytes)),
    seconds: sum(group.map(({ seconds }) => seconds)),
  }));
}
