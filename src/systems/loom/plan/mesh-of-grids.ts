/** Cuts wanted for an operator: number of pieces per index axis. */
export interface Grid {
  readonly counts: readonly number[];
  /**
   * Tensor dims cut by each index axis; index axes with equal dims are best cut by the same mesh
   * axes.
   */
  readonly dims: readonly (readonly string[])[];
}

/** A mesh that holds several grids, with the mesh axes that cut each. */
export interface GridMesh {
  readonly axes: readonly { readonly name: string; readonly size: number }[];
  readonly cuts: readonly GridCuts[];
}

/** The mesh axes that cut a grid, per index axis, outermost first. */
export type GridCuts = readonly (readonly string[])[];

/**
 * The smallest mesh whose axes, alone or several together, cut every operator into its grid. The
 * grid with the most pieces orders the axes; other grids prefer axes that cut the same dims
 * already.
 */
export function meshOfGrids(grids: readonly Grid[]): GridMesh {
  const order = [...grids.keys()].sort((a, b) => sizeOf(grids[b]) - sizeOf(grids[a]) || a - b);
  const primes = primesOf(order.map((at) => grids[at]?.counts ?? []));
  const known = new Map<string, readonly number[]>();
  const cuts = new Map<number, readonly (readonly number[])[]>();
  for (const at of order) {
    const grid = grids[at];
    if (grid !== undefined) cuts.set(at, assigned(grid, primes, known));
  }
  return named(
    primes,
    grids.map((_, at) => cuts.get(at) ?? []),
  );
}

function sizeOf(grid: Grid | undefined): number {
  return (grid?.counts ?? []).reduce((product, count) => product * count, 1);
}

/** Prime factors of the mesh size, those of the largest grid first in the order of its axes. */
function primesOf(all: readonly (readonly number[])[]): readonly number[] {
  const primes: number[] = [];
  for (const counts of all) {
    const left = [...primes];
    for (const prime of counts.flatMap(factorsOf)) {
      const at = left.indexOf(prime);
      if (at < 0) primes.push(prime);
      else left.splice(at, 1);
    }
  }
  return primes;
}

function factorsOf(count: number): readonly number[] {
  const factors: number[] = [];
  let rest = count;
  for (let prime = 2; prime * prime <= rest; prime += 1) {
    while (rest % prime === 0) {
      factors.push(prime);
      rest /= prime;
    }
  }
  return rest > 1 ? [...factors, rest] : factors;
}

/** Mesh primes, by position, that cut each axis of a grid. */
function assigned(
  { counts, dims }: Grid,
  primes: readonly number[],
  known: Map<string, readonly number[]>,
): readonly (readonly number[])[] {
  const taken = new Set<number>();
  const product = (list: readonly number[]) =>
    list.reduce((total, at) => total * (primes[at] ?? 1), 1);
  const aligned = counts.map((count, axis) => {
    const before = (dims[axis] ?? []).flatMap((dim) => {
      const list = known.get(dim);
      return list === undefined ? [] : [list];
    });
    const list = before.find(
      (each) => product(each) === count && !each.some((at) => taken.has(at)),
    );
    for (const at of list ?? []) taken.add(at);
    return list;
  });
  return counts.map((count, axis) => {
    const list = aligned[axis] ?? factorsOf(count).map((prime) => takeOne(prime, primes, taken));
    for (const dim of dims[axis] ?? []) if (!known.has(dim) && count > 1) known.set(dim, list);
    return list;
  });
}

/** Takes the first free prime of a size; the mesh always has enough of each. */
function takeOne(prime: number, primes: readonly number[], taken: Set<number>): number {
  const at = primes.findIndex((each, place) => each === prime && !taken.has(place));
  if (at < 0) throw new Error(`no ${prime} is left in the mesh`);
  taken.add(at);
  return at;
}

/** Joins primes that always follow each other into one axis, and names the axes. */
function named(
  primes: readonly number[],
  cuts: readonly (readonly (readonly number[])[])[],
): GridMesh {
  const runs: number[][] = [];
  for (const at of primes.keys()) {
    const last = runs.at(-1);
    const end = last?.at(-1);
    const isJoined = end !== undefined && cuts.every((lists) => alwaysTogether(lists, end, at));
    if (isJoined) last?.push(at);
    else runs.push([at]);
  }
  const axes = runs.map((run, at) => ({
    name: `d${at}`,
    size: run.reduce((total, prime) => total * (primes[prime] ?? 1), 1),
  }));
  const nameOf = (prime: number) => {
    const at = runs.findIndex(([first]) => first === prime);
    return at < 0 ? [] : [`d${at}`];
  };
  return { axes, cuts: cuts.map((lists) => lists.map((list) => list.flatMap(nameOf))) };
}

function alwaysTogether(lists: readonly (readonly number[])[], a: number, b: number): boolean {
  return lists.every((list) => {
    const at = list.indexOf(a);
    return at < 0 ? !list.includes(b) : list[at + 1] === b;
  });
}

/**
 * Cuts of grids on a given mesh. If it has the sizes of the grids' own mesh, the cuts are the same;
 * else whole axes are used, preferably those that cut the same dims already.
 *
 * @returns `undefined` for a grid that no whole axes of the mesh make
 */
export function cutsOnMesh(
  axes: GridMesh["axes"],
  grids: readonly Grid[],
): readonly (GridCuts | undefined)[] {
  const own = meshOfGrids(grids);
  const isSame =
    own.axes.length === axes.length && own.axes.every(({ size }, at) => size === axes[at]?.size);
  if (isSame) return own.cuts.map((cuts) => renamed(cuts, own.axes, axes));
  const order = [...grids.keys()].sort((a, b) => sizeOf(grids[b]) - sizeOf(grids[a]) || a - b);
  const known = new Map<string, readonly string[]>();
  const found = new Map<number, GridCuts | undefined>();
  for (const at of order) {
    const grid = grids[at];
    const cuts = grid && placed(grid, axes, known, []);
    found.set(at, cuts);
    for (const [axis, names] of (cuts ?? []).entries()) {
      for (const dim of grid?.dims[axis] ?? []) {
        if (names.length > 0 && !known.has(dim)) known.set(dim, names);
      }
    }
  }
  return grids.map((_, at) => found.get(at));
}

function renamed(cuts: GridCuts, from: GridMesh["axes"], to: GridMesh["axes"]): GridCuts {
  const nameOf = (name: string) => to[from.findIndex((axis) => axis.name === name)]?.name ?? name;
  return cuts.map((names) => names.map(nameOf));
}

/**
 * Chooses mesh axes for the index axes of a grid one after the other, so that none is used twice.
 */
function placed(
  grid: Grid,
  axes: GridMesh["axes"],
  known: ReadonlyMap<string, readonly string[]>,
  before: GridCuts,
): GridCuts | undefined {
  const at = before.length;
  const count = grid.counts[at];
  if (count === undefined) return before;
  const taken = new Set(before.flat());
  const free = axes.filter(({ name, size }) => size > 1 && !taken.has(name));
  const all = count === 1 ? [[]] : listsOf(count, free);
  const wanted = (grid.dims[at] ?? []).map((dim) => known.get(dim)?.join());
  const first = all.filter((names) => wanted.includes(names.join()));
  for (const names of new Set([...first, ...all])) {
    const rest = placed(grid, axes, known, [...before, names]);
    if (rest !== undefined) return rest;
  }
  return undefined;
}

/** Lists of mesh axes, in mesh order, whose sizes multiply to a count. */
function listsOf(count: number, axes: GridMesh["axes"]): readonly (readonly string[])[] {
  if (count === 1) return [[]];
  return axes.flatMap(({ name, size }, at) => {
    if (count % size !== 0) return [];
    return listsOf(count / size, axes.slice(at + 1)).map((rest) => [name, ...rest]);
  });
}
