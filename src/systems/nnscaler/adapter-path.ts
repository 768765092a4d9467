import { product } from "#core/arithmetic";
import { type AdapterRules, hopBetween, hopVolume, type Rvd } from "./adapter-hop.ts";

/** A path of RVDs between two layouts, with nnScaler's cost. */
export interface AdapterPath {
  /** From the first RVD to the last, both included. */
  readonly rvds: readonly Rvd[];
  /** Elements of one group, summed over the hops, plus 1 per hop. */
  readonly cost: number;
}

/** An edge of the graph that nnScaler searches: target node and cost. */
export interface CostEdge {
  readonly to: number;
  readonly cost: number;
}

/** Options of the path search. */
export interface PathOptions extends AdapterRules {
  /**
   * Whether hops by a fractional factor are included. nnScaler takes them by mistake on device
   * counts with several prime factors: they cost 1 and move nothing.
   */
  readonly fractions?: boolean;
}

/**
 * The path that nnScaler takes between two layouts of a tensor on the same devices (dimops.md
 * §6.1). All factorings of the devices are nodes; the cheapest open one is visited next, of equal
 * ones the first, and a node's path is replaced only by a cheaper one. `undefined` if there is no
 * path.
 */
export function intraPath(
  shape: readonly number[],
  from: Rvd,
  to: Rvd,
  options: PathOptions = {},
): AdapterPath | undefined {
  if (from.join() === to.join()) return { rvds: [from], cost: 0 };
  const devices = product(from);
  const nodes = rvdNodes(shape, devices);
  const [start, end] = [nodes.places.get(from.join()), nodes.places.get(to.join())];
  if (start === undefined || end === undefined) return undefined;
  const path = cheapestPath(nodes.list.length, start, end, (node) =>
    intraEdges(nodes, node, shape, options),
  );
  return path && { rvds: path.nodes.map((at) => nodes.list[at] ?? []), cost: path.cost };
}

/**
 * All RVDs of a shape on a number of devices: factorings over copies, partial values and evenly
 * divided dims.
 * @internal
 */
export function rvdSpace(shape: readonly number[], devices: number): readonly Rvd[] {
  const lists = factorLists(devices, shape.length + 2);
  return lists.filter((rvd) => shape.every((size, dim) => size % (rvd[dim + 2] ?? 1) === 0));
}

function factorLists(devices: number, length: number): readonly Rvd[] {
  if (length === 1) return [[devices]];
  return Array.from({ length: devices }, (_, at) => at + 1)
    .filter((factor) => devices % factor === 0)
    .flatMap((factor) =>
      factorLists(devices / factor, length - 1).map((rest) => [factor, ...rest]),
    );
}

/** RVDs in nnScaler's order, and the index of each by its text. */
export interface RvdNodes {
  readonly list: readonly Rvd[];
  readonly places: ReadonlyMap<string, number>;
}

/** The RVDs of a tensor on a number of devices as nodes of the search. */
function rvdNodes(shape: readonly number[], devices: number): RvdNodes {
  const list = rvdSpace(shape, devices);
  return { list, places: new Map(list.map((rvd, at) => [rvd.join(), at])) };
}

/** The hops from one node to others on the same devices. */
function intraEdges(
  { list, places }: RvdNodes,
  from: number,
  shape: readonly number[],
  options: PathOptions,
): readonly CostEdge[] {
  const source = list[from] ?? [];
  return source.flatMap((count, down) =>
    lowerCounts(count, options.fractions === true).flatMap((left) =>
      source.flatMap((other, up): readonly CostEdge[] => {
        const more = (other * count) / left;
        if (up === down || !Number.isInteger(more)) return [];
        const target = source.with(down, left).with(up, more);
        const to = places.get(target.join());
        const hop = to === undefined ? undefined : hopBetween(source, target);
        if (to === undefined || hop === undefined) return [];
        return [{ to, cost: hopVolume(hop, source, shape, options) + 1 }];
      }),
    ),
  );
}

function lowerCounts(count: number, fractions: boolean): readonly number[] {
  const lower = Array.from({ length: count - 1 }, (_, at) => at + 1);
  return fractions ? lower : lower.filter((left) => count % left === 0);
}

/** Dijkstra's algorithm with nnScaler's order of visits. */
function cheapestPath(
  count: number,
  from: number,
  to: number,
  edgesFrom: (node: number) => readonly CostEdge[],
): { readonly nodes: readonly number[]; readonly cost: number } | undefined {
  const found = new Map([[from, { nodes: [from], cost: 0 }]]);
  const open = new Set(Array.from({ length: count }, (_, node) => node));
  for (;;) {
    let next: number | undefined;
    for (const node of open) {
      const cost = found.get(node)?.cost ?? Infinity;
      if (cost < (next === undefined ? Infinity : (found.get(next)?.cost ?? Infinity))) next = node;
    }
    const reached = next === undefined ? undefined : found.get(next);
    if (next === undefined || reached === undefined) return undefined;
    if (next === to) return reached;
    open.delete(next);
    for (const edge of edgesFrom(next)) {
      const cost = reached.cost + edge.cost;
      if (cost < (found.get(edge.to)?.cost ?? Infinity)) {
        found.set(edge.to, { nodes: [...reached.nodes, edge.to], cost });
      }
    }
  }
}
