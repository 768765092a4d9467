import type { Arrangement } from "./arrangement.ts";
import { type Flow, type FlowEdge, flowKey } from "./flow.ts";

/**
 * Lines that run through the lanes at the left: those that are neither straight, nor side lines,
 * nor hops.
 */
export function laneEdges(flow: Flow, arrangement: Arrangement): readonly FlowEdge[] {
  const { straight, side, gaps } = arrangement;
  const drawn = new Set([...straight, ...side, ...gaps.flatMap(({ hops }) => hops)]);
  const through = new Set(
    gaps.flatMap(({ arrivals, entryBadges }) =>
      [...arrivals, ...entryBadges].map(({ badge, card }) => `badge ${badge} card ${card}`),
    ),
  );
  return flow.edges.filter(
    (edge) => !drawn.has(edge) && !through.has(`${flowKey(edge.from)} ${flowKey(edge.to)}`),
  );
}
