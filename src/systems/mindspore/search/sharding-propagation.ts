import { batchParallel } from "../operators/default-strategy.ts";
import { ruleOf } from "../operators/rules.ts";
import { Propagation } from "./propagation.ts";
import { type Node, propagationNodes } from "./propagation-graph.ts";
import type { Found, FoundStrategy, SearchGraph } from "./search-graph.ts";

/**
 * Strategies for operators without one, by `sharding_propagation` (mindspore.md §6.4): breadth
 * first from each configured operator in order, then from the dataset. An operator with one input
 * takes the strategy with the least redistribution from what has reached it. One with several waits
 * until all inputs are reached, or until the queue is empty.
 */
export function shardingPropagation(graph: SearchGraph): Found {
  const nodes = propagationNodes(graph);
  const run = new Propagation(nodes);
  run.run();
  const fault = manualFault(graph) ?? run.fault;
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

/** MindSpore searches no strategy for a table that is split by hand. */
function manualFault({ operators }: SearchGraph): Found["fault"] {
  const split = operators.find(
    ({ call, written }) => written === undefined && call.attributes.manual_split !== undefined,
  );
  if (split === undefined) return undefined;
  const message = `manual_split takes its strategy from the text: MindSpore searches none for "${split.name}"`;
  return { name: split.name, message };
}
