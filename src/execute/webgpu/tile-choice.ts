/** The distribution of a product over workgroups and their threads. */
export interface ProductTile {
  /** Cells of a workgroup: rows and columns. */
  readonly rows: number;
  readonly columns: number;
  /** Steps of the sum whose operands a workgroup holds at a time. */
  readonly depth: number;
  /** Cells of a thread: rows and columns, both multiples of four. */
  readonly perThread: readonly [rows: number, columns: number];
  /** The number of parts into which the sum is cut, each with workgroups of its own. */
  readonly parts: number;
}

/**
 * The operations from which a tile is used, and the number of workgroups that fill the adapter with
 * it.
 */
export interface TileChoice {
  readonly from: number;
  readonly tile: Omit<ProductTile, "parts">;
  readonly groups: number;
}
