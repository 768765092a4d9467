import type { Diagnostic } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import { partSize } from "#core/mesh";
import type { Plan } from "#core/plan";

/** Most Applications that one graph is written with: about 20 MB of JSON. */
const mostShards = 10_000;

/** That a plan cuts operations into more Applications than a graph is written with, if so. */
export function tooManyShards(
  operators: readonly Pick<Operator, "id">[],
  plan: Plan,
): Diagnostic | undefined {
  const counts = operators.map(({ id }) => {
    const cuts = Object.values(plan.operators.get(id)?.strategy.cuts ?? {}).flat();
    return cuts.reduce((product, part) => product * partSize(part), 1);
  });
  const count = counts.reduce((sum, each) => sum + each, 0);
  if (count <= mostShards) return undefined;
  return {
    code: "loom/too-many-shards",
    severity: "warning",
    message: `the plan cuts the operations into ${count} Applications, and a graph is written with at most ${mostShards}: here are whole operations, with the cuts in the plan beside them`,
  };
}
