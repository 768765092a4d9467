import { fieldOf } from "#core/records";
import { combinationsOf } from "./enumerate-strategies.ts";
import { recursiveProgramming } from "./recursive-programming.ts";
import type { FoundStrategies, SearchGraph } from "./search-graph.ts";
import { shardingPropagation } from "./sharding-propagation.ts";

/** More combinations of cuts than this are not tried while someone types. */
const mostCombinations = 10_000;

const searches: Readonly<Record<string, (graph: SearchGraph, devices: number) => FoundStrategies>> =
  {
    sharding_propagation: (graph) => shardingPropagation(graph),
    recursive_programming: recursiveProgramming,
  };

/**
 * The choices of an `AutoParallel` mode for the operators that the text leaves open (mindspore.md
 * §6.4); `undefined` for a mode that does not search, and where there are too many strategies to
 * try.
 */
export function searchedStrategies(
  mode: string,
  graph: SearchGraph,
  devices: number,
): FoundStrategies | undefined {
  const search = Object.hasOwn(searches, mode) ? fieldOf(searches, mode) : undefined;
  if (search === undefined || combinationsIn(graph) > mostCombinations) return undefined;
  return search(graph, devices);
}

function combinationsIn({ operators }: SearchGraph): number {
  return operators.reduce((sum, { call, written }) => {
    return written === undefined ? sum + combinationsOf(call).length : sum;
  }, 0);
}
