import type { AdapterTraits } from "./launch.ts";
import { type ProductShape, stepsOf } from "./product-shape.ts";
import type { ProductTile, TileChoice } from "./tile-choice.ts";

/** Threads of a workgroup. */
export function threadsOf({ rows, columns, perThread: [r, c] }: ProductTile): number {
  return (rows / r) * (columns / c);
}

/** Tiles by their size: cells of a workgroup, steps at a time, cells of a thread. */
export const tiles = {
  small: { rows: 32, columns: 32, depth: 32, perThread: [4, 4] },
  middle: { rows: 64, columns: 64, depth: 32, perThread: [8, 4] },
  flat: { rows: 64, columns: 64, depth: 16, perThread: [8, 4] },
  square: { rows: 64, columns: 64, depth: 16, perThread: [8, 8] },
  wide: { rows: 64, columns: 128, depth: 16, perThread: [8, 8] },
  large: { rows: 128, columns: 128, depth: 16, perThread: [16, 8] },
} as const satisfies Readonly<Record<string, Omit<ProductTile, "parts">>>;

/**
 * The rule for adapters without measurements, made for a GPU of about 130 cores: sizes begin at
 * operations of about 800³ and of more than 1,024³.
 */
const usualTiles: readonly TileChoice[] = [
  { from: 2 ** 20, tile: tiles.small, groups: 128 },
  { from: 2 ** 30, tile: tiles.square, groups: 256 },
  { from: 2 ** 32, tile: tiles.large, groups: 256 },
];

/** Least steps of the sum in a part, and operations from which parts pay. */
const [leastDepth, worthParts] = [128, 2 ** 27];

/** Least share of its workgroups' cells that a product should have. */
const leastUse = 0.6;

/** Tile of a product on an adapter; `undefined` if cells are better computed one by one. */
export function productTile(
  shape: ProductShape,
  instances: number,
  { isCpu, product, tiles: choices = usualTiles }: AdapterTraits,
): ProductTile | undefined {
  if (product !== undefined) return product;
  const [rows, columns, depth] = [
    stepsOf(shape.rows),
    stepsOf(shape.columns),
    stepsOf(shape.inner),
  ];
  const batches = stepsOf(shape.batches) * instances;
  const work = 2 * rows * columns * depth * batches;
  const fitting = choices.filter(({ from, tile }) => {
    const cells = Math.ceil(rows / tile.rows) * Math.ceil(columns / tile.columns);
    const use = (rows * columns) / (cells * tile.rows * tile.columns);
    return work >= from && (use >= leastUse || tile === choices[0]?.tile);
  });
  const choice = fitting.at(-1);
  if (isCpu || choice === undefined || rows < 16 || columns < 16) return undefined;
  const { tile, groups } = choice;
  const whole = Math.ceil(rows / tile.rows) * Math.ceil(columns / tile.columns) * batches;
  const most = work < worthParts ? 1 : Math.max(1, Math.floor(depth / leastDepth));
  const parts = Math.min(most, Math.max(1, Math.ceil(groups / whole)));
  return { ...tile, parts };
}
