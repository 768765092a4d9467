import { pieceElements, type Rvd } from "./adapter-hop.ts";
import { type CostEdge, cheapestPath, intraEdges, rvdNodes } from "./adapter-path.ts";

/** How much dearer nnScaler takes the link between two sets of devices to be. */
const crossFactor = 24;

/** A path from producers on one set of devices to consumers on another. */
export interface InterPath {
  readonly producers: readonly Rvd[];
  readonly consumers: readonly Rvd[];
  readonly cost: number;
}

/**
 * The path that nnScaler takes between layouts on disjoint sets of devices (dimops.md §6.2): hops
 * on either side, and one across between layouts that differ in one count at most. Elements, with
 * those across counted 24 times. `undefined` when no path leads there.
 */
export function interPath(shape: readonly number[], from: Rvd, to: Rvd): InterPath | undefined {
  const devicesOf = (rvd: Rvd) => rvd.reduce((product, count) => product * count, 1);
  const own = rvdNodes(shape, devicesOf(from));
  const others = rvdNodes(shape, devicesOf(to));
  const count = own.list.length;
  const [start, end] = [own.places.get(from.join()), others.places.get(to.join())];
  if (start === undefined || end === undefined) return undefined;
  const shifted = (edges: readonly CostEdge[]) =>
    edges.map((edge) => ({ ...edge, to: edge.to + count }));
  const edgesFrom = (node: number): readonly CostEdge[] => {
    if (node >= count) return shifted(intraEdges(others, node - count, shape, false));
    const source = own.list[node] ?? [];
    const across = others.list.flatMap((target, at) => crossEdge(source, target, at, shape));
    return [...intraEdges(own, node, shape, false), ...shifted(across)];
  };
  const path = cheapestPath(count + others.list.length, start, end + count, edgesFrom);
  if (path === undefined) return undefined;
  return {
    producers: path.nodes.flatMap((node) => own.list.slice(node, node + 1)),
    consumers: path.nodes.flatMap((node) => others.list.filter((_, at) => at === node - count)),
    cost: path.cost,
  };
}

function crossEdge(
  from: Rvd,
  target: Rvd,
  to: number,
  shape: readonly number[],
): readonly CostEdge[] {
  const volume = crossVolume(from, target, shape);
  return volume === undefined ? [] : [{ to, cost: crossFactor * (volume + 1) }];
}

/** Elements of one primitive across; `undefined` when more than one count differs. */
function crossVolume(from: Rvd, to: Rvd, shape: readonly number[]): number | undefined {
  const changed = from.flatMap((count, at) => (count === to[at] ? [] : [at]));
  const [at] = changed;
  const piece = pieceElements(from, shape);
  if (at === undefined) return piece;
  const [before, after] = [from[at] ?? 1, to[at] ?? 1];
  const isUp = after > before;
  if (changed.length > 1 || Math.max(before, after) % Math.min(before, after) !== 0) {
    return undefined;
  }
  if (at === 0) return isUp ? piece * (after / before) : piece;
  if (at === 1) return piece * (isUp ? after / before : before / after);
  return isUp ? piece : pieceElements(to, shape);
}
