import type { Compiled } from "#compile";
import type { FlatStep } from "#core/program";
import { usesOf } from "#core/schedule";
import { allSteps, microbatchesAt } from "../folded.ts";
import { rememberedFor } from "../remembered.ts";

/** The totals of one step over all its runs, in seconds and bytes. */
export interface StepAmount {
  readonly step: FlatStep;
  /** Index among all steps. */
  readonly at: number;
  readonly count: number;
  /** Duration, regardless of overlap. */
  readonly seconds: number;
  /** Seconds of computation on the device; 0 for communication. */
  readonly computed: number;
  /** Exposed seconds of communication, in which nothing is computed. */
  readonly exposed: number;
  /** Bytes that the busiest device receives. */
  readonly bytes: number;
}

/**
 * The amounts of each step. Computed and exposed seconds add up to the total time, except for the
 * time in which devices wait for the host.
 */
export const stepAmounts = rememberedFor((compiled: Compiled): readonly StepAmount[] => {
  const { schedule, program } = compiled;
  const steps = allSteps(program);
  const uses = schedule === undefined ? usesUnderModel(compiled) : usesOf(schedule);
  return steps.map((step, at) => {
    const { count = 0, seconds = 0, exposed = 0 } = uses[at] ?? {};
    // A slice sends nothing: it is computation of the device.
    const isSent = step.kind === "collective" && step.collective !== "slice";
    return {
      ...{ step, at, count, seconds },
      computed: isSent ? 0 : seconds,
      exposed: isSent ? exposed : 0,
      bytes: step.kind === "collective" ? count * step.bytes : 0,
    };
  });
});

/** The uses of steps under a cost model without overlap. */
function usesUnderModel({ program, cost }: Compiled) {
  const runs = microbatchesAt(program);
  const seconds = new Map(cost.operators.map((each) => [each.operator, each.seconds]));
  return allSteps(program).map((step, at) => {
    const count = runs(at);
    if (step.kind === "local") {
      return { count, seconds: seconds.get(step.operator) ?? 0, exposed: 0 };
    }
    return { count, seconds: count * step.seconds, exposed: count * step.seconds };
  });
}
