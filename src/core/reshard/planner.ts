import { type Layout, layoutKey } from "#core/mesh";
import { planReshard, type ReshardOptions, type ReshardPlan } from "./plan-reshard.ts";

/** Plans a redistribution, as `planReshard` does. */
export type PlanReshard = (
  from: Layout,
  to: Layout,
  shape: readonly number[],
  options?: ReshardOptions,
) => ReshardPlan;

/**
 * `planReshard` that answers a question once: equal blocks of a program ask the same again and
 * again. The layouts of an answer are those of the first question, equal but perhaps not the same.
 */
export function createReshardPlanner(): PlanReshard {
  const known = new Map<string, ReshardPlan>();
  return (from, to, shape, options = {}) => {
    const key = [layoutKey(from), layoutKey(to), shape.join(","), JSON.stringify(options)].join(
      ";",
    );
    const found = known.get(key) ?? planReshard(from, to, shape, options);
    known.set(key, found);
    return found;
  };
}
