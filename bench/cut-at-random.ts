import type { Graph, Operator } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import { propagate, stageOperators } from "#core/plan";
import { diceOf } from "../src/execute/verify/random-graph.testing.ts";
import { randomPlan } from "../src/execute/verify/random-program.testing.ts";

/**
 * A random plan for a program without its own cuts. Equal operators are cut alike, so equal layers
 * stay equal; the backward pass follows.
 */
export function cutAtRandom(graph: Graph, mesh: DeviceMesh): ReturnType<typeof stageOperators> {
  const forward = graph.operators.filter(({ phase }) => phase === undefined || phase === "forward");
  const operators = new Map(
    forward.flatMap((operator) => {
      const dice = diceOf(seedOf(operator));
      if (dice.below(5) === 0) return [];
      return [[operator.id, randomPlan(operator, mesh, dice, [])] as const];
    }),
  );
  const { plan } = propagate(graph, mesh, { operators, placements: new Map() });
  return stageOperators(graph, plan);
}

/** A seed that is equal for operators with the same computation on the same sizes. */
function seedOf({ op, axes, attributes }: Operator): number {
  let seed = 7;
  for (const each of JSON.stringify([op, axes, attributes]))
    seed = (Math.imul(seed, 31) + each.charCodeAt(0)) % 2 ** 30;
  return Math.abs(seed);
}
