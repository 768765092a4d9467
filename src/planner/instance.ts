import { fieldOf } from "#core/records";
import { eliminateAll, type InstanceLabel } from "./instance-labels.ts";
import type { Instance } from "./instance-problem.ts";
import { memoryOf, namesIn } from "./memory-formula.ts";

/** The best plan of an instance, or the least memory of all plans. */
export type InstanceOutcome =
  | {
      readonly kind: "found";
      readonly seconds: number;
      readonly choices: readonly number[];
      readonly memory: number;
    }
  | { readonly kind: "too-large"; readonly minimum: number }
  | { readonly kind: "impossible" };

/**
 * The cheapest choice for every node, of those whose memory is at most `limit`. Exact: a partial
 * plan is dropped only for another one that is no worse in seconds and in every single sum of
 * memory. A total that contains a maximum does not order partial plans (planner.md §1.4).
 *
 * Throws `RangeError` if too many partial plans are left.
 */
export function solveInstance(
  instance: Instance,
  limit: number = Number.POSITIVE_INFINITY,
): InstanceOutcome {
  const { nodes, memory } = instance;
  const names = namesIn(memory);
  const totalOf = (sums: readonly number[]) =>
    memoryOf(memory, (name) => sums[names.indexOf(name)] ?? 0);
  const sumsOf = (choices: readonly number[]) =>
    names.map((name) =>
      nodes.reduce((sum, node, at) => sum + (fieldOf(node.memory[choices[at] ?? 0], name) ?? 0), 0),
    );
  const found = ({ seconds, choices }: InstanceLabel): InstanceOutcome => {
    return { kind: "found", seconds, choices, memory: totalOf(sumsOf(choices)) };
  };
  const [fastest] = eliminateAll(instance, { names: [], perSecond: 1, keeps: () => true });
  if (fastest === undefined) return { kind: "impossible" };
  if (totalOf(sumsOf(fastest.choices)) <= limit) return found(fastest);
  const keeps = (sums: readonly number[]) => totalOf(sums) <= limit;
  const [best] = eliminateAll(instance, { names, perSecond: 1, keeps });
  if (best !== undefined) return found(best);
  const all = eliminateAll(instance, { names, perSecond: 0, keeps: () => true });
  return { kind: "too-large", minimum: Math.min(...all.map(({ sums }) => totalOf(sums))) };
}
