/** Numbers of copies, partial values and pieces per dim: nnScaler's (R, V, D…). */
export type Rvd = readonly number[];

/** The primitive of a hop, in nnScaler's terms. */
export type AdapterPrimitive =
  | "all-gather"
  | "all-to-all"
  | "all-reduce"
  | "reduce-scatter"
  | "chunk"
  | "value-chunk";

/** One hop, which moves a factor from one count of an RVD to another. */
export interface AdapterHop {
  readonly primitive: AdapterPrimitive;
  /**
   * Indices of the count that decreases and of the one that increases: 0 copies, 1 partial values,
   * 2 the first dim.
   */
  readonly down: number;
  readonly up: number;
  /** Number of devices in one group. */
  readonly size: number;
}

/** The hop between two RVDs on the same devices; `undefined` if it takes more than one. */
export function hopBetween(from: Rvd, to: Rvd): AdapterHop | undefined {
  const changed = from.flatMap((count, at) => (count === to[at] ? [] : [at]));
  if (changed.length !== 2) return undefined;
  const down = changed.find((at) => (from[at] ?? 1) > (to[at] ?? 1));
  const up = changed.find((at) => (from[at] ?? 1) < (to[at] ?? 1));
  if (down === undefined || up === undefined) return undefined;
  const primitive = primitiveOf(down, up);
  const size = Math.floor((from[down] ?? 1) / (to[down] ?? 1));
  return primitive && { primitive, down, up, size };
}

function primitiveOf(down: number, up: number): AdapterPrimitive | undefined {
  if (down === 0) return up === 1 ? "value-chunk" : "chunk";
  if (down === 1) return up === 0 ? "all-reduce" : "reduce-scatter";
  if (up === 1) return undefined;
  return up === 0 ? "all-gather" : "all-to-all";
}

/** Whether the decreasing count shrinks by an integer factor. */
export function isWholeHop(from: Rvd, to: Rvd): boolean {
  return from.every((count, at) => count <= (to[at] ?? 1) || count % (to[at] ?? 1) === 0);
}

/** Settings of a program that affect nnScaler's adapters. */
export interface AdapterRules {
  /**
   * `CompileFlag.disable_reduce_scatter_adapter`: a reduce-scatter costs a hundred times as much.
   */
  readonly avoidsReduceScatter?: boolean;
}

/** Elements that nnScaler counts for one group of a hop (dimops.md §6.1). */
export function hopVolume(
  { primitive, size }: AdapterHop,
  from: Rvd,
  shape: readonly number[],
  { avoidsReduceScatter = false }: AdapterRules = {},
): number {
  const local = pieceElements(from, shape);
  switch (primitive) {
    case "all-gather":
      return (size - 1) * local;
    case "all-to-all":
      return Math.floor((local * (size - 1)) / size);
    case "reduce-scatter":
      return Math.floor((local * (size - 1)) / size) * (avoidsReduceScatter ? 100 : 1);
    case "all-reduce":
      return Math.floor((2 * (size - 1) * local) / size);
    case "chunk":
    case "value-chunk":
      return 0;
  }
}

/** Elements of one piece of a layout. */
function pieceElements(rvd: Rvd, shape: readonly number[]): number {
  return shape.reduce((product, size, dim) => product * (size / (rvd[dim + 2] ?? 1)), 1);
}
