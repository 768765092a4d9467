import type { Arrangement, Arrival } from "./arrangement.ts";
import type { CanvasNodes } from "./canvas-nodes.ts";
import { entryStep } from "./columns-abreast.ts";
import { type FlowEdge, flowKey } from "./flow.ts";

/** Where lines that do not come straight down enter the upper sides of their cards. */
export interface EntryPorts {
  readonly ofHop: ReadonlyMap<FlowEdge, number>;
  readonly ofArrival: ReadonlyMap<Arrival, number>;
}

const entryInset = 14;
const entryRoom = 110;

/** Gives every line into a card a place of its own: from the left to the left, from the right to the right. */
export function entryPorts(arrangement: Arrangement, boxes: CanvasNodes): EntryPorts {
  const { gaps, ranking, abreast, straight } = arrangement;
  const isStraight = new Set(straight.map(({ to }) => flowKey(to)));
  const ofHop = new Map<FlowEdge, number>();
  const ofArrival = new Map<Arrival, number>();
  gaps.forEach(({ chains, hops, arrivals }, rank) => {
    const busy = new Set(chains.map(({ column }) => column));
    const columns = new Map(chains.map(({ tail, column }) => [flowKey(tail), column]));
    for (const row of ranking.ranks[rank] ?? []) {
      const key = `card ${row}`;
      const card = boxes.byFlow.get(key);
      if (card === undefined) continue;
      const column = ranking.columnOf(row);
      const columnFrom = ({ from }: FlowEdge) => columns.get(flowKey(from)) ?? column;
      const here = {
        hops: hops
          .filter(({ to }) => flowKey(to) === key)
          .toSorted((a, b) => columnFrom(a) - columnFrom(b)),
        arrivals: arrivals.filter((arrival) => arrival.card === row),
      };
      const middle = card.x + card.width / 2;
      const isFree = !busy.has(column) && !isStraight.has(key);
      if (abreast.has(rank)) {
        const first = middle + (isFree ? 0 : entryStep);
        const all = here.hops.length + here.arrivals.length;
        for (const [at, hop] of here.hops.entries()) ofHop.set(hop, first + at * entryStep);
        here.arrivals.forEach((arrival, at) => {
          const place = all - 1 - at;
          ofArrival.set(arrival, first + place * entryStep);
        });
        continue;
      }
      const left = here.hops.filter((hop) => columnFrom(hop) < column);
      const right = here.hops.filter((hop) => columnFrom(hop) > column);
      const isOnly = isFree && here.hops.length === 1;
      for (const [at, hop] of left.entries())
        ofHop.set(hop, middle - (isOnly ? 0 : (left.length - at) * entryStep));
      for (const [at, hop] of right.entries())
        ofHop.set(hop, middle + (isOnly ? 0 : (at + 1) * entryStep));
      const room = entryRoom - left.length * entryStep;
      const step = Math.min(entryStep, room / Math.max(here.arrivals.length, 1));
      here.arrivals.forEach((arrival, at) => {
        ofArrival.set(arrival, card.x + entryInset + (here.arrivals.length - 1 - at) * step);
      });
    }
  });
  return { ofHop, ofArrival };
}
