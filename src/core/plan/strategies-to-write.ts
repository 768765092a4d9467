import type { Graph, OperatorId } from "#core/ir";
import { type DeviceMesh, samePart } from "#core/mesh";
import { fieldOf } from "#core/records";
import { createReshardPlanner, type PlanReshard } from "#core/reshard";
import type { OperatorPlan, Strategy } from "./plan.ts";
import { createPlanMemory } from "./plan-memory.ts";
import { Propagation, type Requests } from "./propagate.ts";

/** Strategies on the document's mesh, by operator. */
export type WantedStrategies = ReadonlyMap<OperatorId, Strategy>;

/**
 * Operators whose wanted strategy must be written into the text, because the requests or
 * propagation would cut them otherwise. Propagation gives all other operators theirs.
 */
export function strategiesToWrite(
  graph: Graph,
  mesh: DeviceMesh,
  requests: Requests,
  wanted: WantedStrategies,
  planReshard: PlanReshard = createReshardPlanner(),
): ReadonlySet<OperatorId> {
  const run = new Propagation(graph, mesh, requests, planReshard, createPlanMemory());
  const unsaid = new Set<OperatorId>();
  for (const operator of graph.operators) {
    const strategy = wanted.get(operator.id);
    const plan = run.planOf(operator);
    if (strategy === undefined || isCutAs(plan, strategy, mesh)) run.visit(operator, plan);
    else {
      unsaid.add(operator.id);
      run.visit(operator, { strategy, mesh, status: "set" });
    }
  }
  return unsaid;
}

/** Whether an operator is cut exactly as a strategy on the document's mesh says. */
export function isCutAs(
  { strategy, mesh, unverified }: OperatorPlan,
  wanted: Strategy,
  documentMesh: DeviceMesh,
): boolean {
  const names = new Set([...Object.keys(strategy.cuts), ...Object.keys(wanted.cuts)]);
  const isOwn = mesh !== documentMesh && JSON.stringify(mesh) !== JSON.stringify(documentMesh);
  return (
    unverified === undefined &&
    !isOwn &&
    sameParts(strategy.carry, wanted.carry) &&
    [...names].every((name) =>
      sameParts(fieldOf(strategy.cuts, name) ?? [], fieldOf(wanted.cuts, name) ?? []),
    )
  );
}

function sameParts(a: Strategy["carry"], b: Strategy["carry"]): boolean {
  return (
    a.length === b.length &&
    a.every((part, at) => {
      const other = b[at];
      return other !== undefined && samePart(part, other);
    })
  );
}
