import { fieldOf } from "#core/records";
import { combinationCount } from "./enumerate-strategies.ts";
import { recursiveProgramming } from "./recursive-programming.ts";
import type { Found, SearchGraph } from "./search-graph.ts";
import { shardingPropagation } from "./sharding-propagation.ts";

/** Maximum number of combinations of cuts, so that the search is fast enough while editing. */
const mostCombinations = 10_000;

const searches: Readonly<Record<string, (graph: SearchGraph, devices: number) => Found>> = {
  sharding_propagation: (graph) => shardingPropagation(graph),
  recursive_programming: recursiveProgramming,
};

/**
 * The choices of an `AutoParallel` mode for the operators without a strategy (mindspore.md §6.4);
 * `undefined` for a mode that does not search, or with too many combinations.
 */
export function searchedStrategies(
  mode: string,
  graph: SearchGraph,
  devices: number,
): Found | undefined {
  const search = Object.hasOwn(searches, mode) ? fieldOf(searches, mode) : undefined;
  if (search === undefined || combinationsIn(graph) > mostCombinations) return undefined;
  return search(graph, devices);
}

function combinationsIn({ operators }: SearchGraph): number {
  return operators.reduce((sum, { call, written }) => {
    return written === undefined ? sum + combinationCount(call) : sum;
  }, 0);
}
