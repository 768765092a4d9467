/** How a product is dealt out to workgroups and their threads. */
export interface ProductTile {
  /** Cells of a workgroup: rows and columns. */
  readonly rows: number;
  readonly columns: number;
  /** Steps of the sum whose operands a workgroup holds at a time. */
  readonly depth: number;
  /** Cells of a thread: rows and columns, both multiples of four. */
  readonly perThread: readonly [rows: number, columns: number];
  /** Into how many parts the sum is cut, each for workgroups of its own. */
  readonly parts: number;
}

/** From how many operations on a tile is used, and how many workgroups fill the adapter with it. */
export interface TileChoice {
  readonly from: number;
  readonly tile: Omit<ProductTile, "parts">;
  readonly groups: number;
}
