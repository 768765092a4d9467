/** How an operator is to be cut: into how many pieces per index axis. */
export interface Grid {
  readonly counts: readonly number[];
  /** Per index axis the dims of tensors that it cuts; equal ones are best cut by the same axes. */
  readonly dims: readonly (readonly string[])[];
}

/** A mesh on which grids are, and by which of its axes each is cut, outermost first. */
export interface GridMesh {
  readonly axes: readonly { readonly name: string; readonly size: number }[];
  readonly cuts: readonly (readonly (readonly string[])[])[];
}

/**
 * The smallest mesh whose axes, or several together, cut every operator into its grid. The grid of
 * most pieces gives the axes their order; others take those that cut the same dims already.
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

/** The prime factors that the mesh needs, those of the first grid in the order of its axes. */
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

/** Which primes of the mesh cut each axis of a grid. */
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

/** The first prime of a size that is still free: there are enough of every one. */
function takeOne(prime: number, primes: readonly number[], taken: Set<number>): number {
  const at = primes.findIndex((each, place) => each === prime && !taken.has(place));
  if (at < 0) throw new Error(`no ${prime} is left in the mesh`);
  taken.add(at);
  return at;
}

/** Joins primes that always follow each other to one axis, and names the axes. */
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
