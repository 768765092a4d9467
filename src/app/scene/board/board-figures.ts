import type { Compiled } from "#compile";
import type { OperatorId } from "#core/ir";
import { allSteps } from "../folded.ts";
import { rememberedForPairs } from "../remembered.ts";

/** Seconds in one run of a step, summed over its microbatches. */
export interface BoardFigures {
  readonly operators: ReadonlyMap<OperatorId, number>;
  /**
   * Seconds of each redistribution, and their exposed part (while nothing is computed); absent if
   * unknown.
   */
  readonly sends: ReadonlyMap<number, { readonly seconds: number; readonly exposed?: number }>;
}

/** The time of each operator and each redistribution in the schedule of the step. */
export function boardFigures({ program, schedule, cost }: Compiled): BoardFigures {
  return schedule === undefined ? plainFigures(program, cost) : scheduledFigures(program, schedule);
}

type Scheduled = NonNullable<Compiled["schedule"]>;

const scheduledFigures = rememberedForPairs(
  (program: Compiled["program"], { passes }: Scheduled): BoardFigures => {
    const steps = allSteps(program);
    const operators = new Map<OperatorId, number>();
    const sends = new Map<number, { seconds: number; exposed: number }>();
    for (const { first, count, seconds, exposed } of passes) {
      for (const [at, one] of seconds.entries()) {
        const step = steps[first + at];
        if (step?.kind === "local") {
          operators.set(step.operator, (operators.get(step.operator) ?? 0) + one * count);
        } else if (step !== undefined) {
          const known = sends.get(step.reshard) ?? { seconds: 0, exposed: 0 };
          sends.set(step.reshard, {
            seconds: known.seconds + one * count,
            exposed: known.exposed + (exposed[at] ?? 0) * count,
          });
        }
      }
    }
    return { operators, sends };
  },
);

const plainFigures = rememberedForPairs(
  ({ redistributions }: Compiled["program"], cost: Compiled["cost"]): BoardFigures => ({
    operators: new Map(cost.operators.map(({ operator, seconds }) => [operator, seconds])),
    sends: new Map(redistributions.map(({ index, seconds }) => [index, { seconds }])),
  }),
);

/** The exposed share of a redistribution's time, 0 to 1; `undefined` if unknown. */
export function exposedShare({ sends }: BoardFigures, index: number): number | undefined {
  const send = sends.get(index);
  if (send?.exposed === undefined || Number.isNaN(send.exposed)) return undefined;
  return send.seconds <= 0 ? 0 : Math.min(1, send.exposed / send.seconds);
}
