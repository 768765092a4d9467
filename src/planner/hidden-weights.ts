import { sum } from "#core/arithmetic";
import type { Choice } from "./choices.ts";
import type { PlanRequest } from "./problem.ts";
import type { PlannedValue } from "./values.ts";

/** Whether the traffic of weights overlaps compute, as in the schedule of the whole program. */
export function hidesWeights({ model, training }: PlanRequest): boolean {
  return model === undefined && training !== undefined && training.overlap !== "none";
}

/**
 * Values with the traffic of weights hidden behind compute. The work of all operators covers it,
 * including those without weights; each weight gets a share in proportion to its readers' work. The
 * weights of a block are treated together.
 *
 * @param beside factor on the work of all operators that overlaps with the traffic: above 1 if
 *   devices meanwhile wait for other traffic, on another fabric
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

/** The block of a weight in the model: `layers[3]`; the weight's own name outside of blocks. */
function blockOf({ tensor: { name } }: PlannedValue): string {
  const end = name.indexOf("]") + 1;
  return end === 0 ? name : name.slice(0, end);
}
