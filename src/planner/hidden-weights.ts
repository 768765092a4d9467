import { sum } from "#core/arithmetic";
import type { Choice } from "./choices.ts";
import type { PlanRequest } from "./problem.ts";
import type { PlannedValue } from "./values.ts";

/** Whether the traffic of weights runs beside compute, as in the schedule of the whole program. */
export function hidesWeights({ model, training }: PlanRequest): boolean {
  return model === undefined && training !== undefined && training.overlap !== "none";
}

/**
 * The values with the traffic of weights hidden. What a block covers is what its operators take,
 * also those that read no weight; each weight has the share of it that its readers' work is. The
 * weights of a block go together.
 *
 * @param beside how many times the work of all operators runs beside them: more than once where
 *   devices wait for other traffic meanwhile, on another fabric
 */
export function hiddenWeights(
  values: readonly PlannedValue[],
  choices: readonly (readonly Choice[])[],
  beside: number,
): readonly PlannedValue[] {
  const weights = values.filter(isWeight);
  const own = new Set(weights.flatMap(({ readers }) => readers.map(({ operator }) => operator)));
  const least = choices.map((each) => Math.min(...each.map(({ seconds }) => seconds)));
  const total = sum(least);
  const covering = least.reduce((sum, each, at) => (own.has(at) ? sum + each : sum), 0);
  const times = covering > 0 && Number.isFinite(total) ? (beside * total) / covering : 1;
  const buckets = new Map<string, number>();
  for (const value of weights) {
    buckets.set(blockOf(value), (buckets.get(blockOf(value)) ?? 0) + 1);
  }
  return values.map((value) => {
    if (!isWeight(value)) return value;
    return { ...value, hiding: { times, bucket: buckets.get(blockOf(value)) ?? 1 } };
  });
}

function isWeight({ tensor, source }: PlannedValue): boolean {
  return tensor.role === "parameter" && source.kind === "rest";
}

/** The block of the model to which a weight belongs: `layers[3]`; its name outside of blocks. */
function blockOf({ tensor: { name } }: PlannedValue): string {
  const end = name.indexOf("]") + 1;
  return end === 0 ? name : name.slice(0, end);
}
