import { batchParallel } from "../operators/default-strategy.ts";
import { ruleOf } from "../operators/rules.ts";
import { areWhole, layoutKey } from "./choices.ts";
import { faultAt, Propagation } from "./propagation.ts";
import { type Edge, type Node, propagationNodes } from "./propagation-graph.ts";
import type { Found, FoundStrategy, SearchGraph } from "./search-graph.ts";

/**
 * Strategies for operators without one, by `sharding_propagation` (mindspore.md §6.4): breadth
 * first from each configured operator in order, then from the dataset. An operator with one input
 * takes the strategy with the least redistribution from what has reached it. One with several waits
 * until all inputs are reached, or until the queue is empty.
 */
export function shardingPropagation(graph: SearchGraph): Found {
  const nodes = propagationNodes(graph);
  const held = nodes.flatMap(({ kind, readers }) => (kind === "parameter" ? readers : []));
  const refused = held.find((edge) => !canAgree(edge));
  const run = new Propagation(nodes);
  if (refused === undefined) run.run();
  const fault = refused === undefined ? run.fault : faultAt(refused);
  return { strategies: strategiesIn(nodes), ...(fault && { fault }) };
}

function strategiesIn(nodes: readonly Node[]): ReadonlyMap<string, FoundStrategy> {
  return new Map(
    nodes.flatMap(({ kind, name, selected, operator }) => {
      if (kind !== "operator" || operator === undefined) return [];
      const { call } = operator;
      const { strategies = batchParallel(call, ruleOf(call.op) ?? {}), written } = selected ?? {};
      return [[name, { strategies, ...(written && { written }) }] as const];
    }),
  );
}

/** Whether a shared parameter has a layout that a choice of its reader reads. */
function canAgree({ from, to, input }: Edge): boolean {
  if (to.kind === "reshape") return true;
  return to.choices.some(({ inputs: { [input]: read } }) =>
    from.choices.some(({ outputs: [held] }) => {
      if (read === undefined || held === undefined) return false;
      return areWhole(held, read) || layoutKey(held) === layoutKey(read);
    }),
  );
}
