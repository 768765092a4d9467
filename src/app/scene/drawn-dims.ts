import { dimCount, type Layout } from "#core/mesh";
import { type DimSlots, noDim, slotsOf } from "./dim-slots.ts";
import type { Halos } from "./halos.ts";
import type { Size } from "./mark.ts";

/** A tensor with the layout in which it is drawn. */
export interface DrawnTensor {
  readonly layout: Layout;
  readonly shape: readonly number[];
  readonly dimNames: readonly string[];
  /** The attribute by which it is as the text says: what looks like copies may then differ. */
  readonly asGiven?: string;
  /** What an operator reads of it in windows. */
  readonly halos?: Halos;
}

/** A dim on one side of a drawing; `dim` is absent where the tensor has none for that side. */
export interface Side {
  readonly dim: number | undefined;
  readonly slots: DimSlots;
}

/**
 * Which dims are drawn where: `rows` down and `columns` across inside each facet, the facets
 * themselves by `outerRows` and `outerColumns`. `hidden` are cut dims for which no side is left.
 */
export interface DrawnDims {
  readonly outerRows: Side;
  readonly outerColumns: Side;
  readonly rows: Side;
  readonly columns: Side;
  readonly hidden: readonly number[];
}

/** Room that a facet should have, and how many may stand in a direction at all. */
const facetRoom = 24;
const mostFacets = 8;

/**
 * Chooses the dims to draw: the last two inside, leading split dims as facets (one) or as an outer
 * grid (two). Whole dims are not cut, and give way where there are more facets than fit.
 */
export function drawnDimsOf({ layout, shape }: DrawnTensor, size: Size): DrawnDims {
  const rank = shape.length;
  const most = Math.min(Math.max(Math.floor(size.width / facetRoom), 2), mostFacets);
  const inner = innerDims(layout, rank, most);
  const leading = splitDims(layout).filter((dim) => !inner.includes(dim));
  const [columns, rows] = [inner.at(-1), inner.at(-2)];
  const [first, second] = leading;
  const side = (dim: number | undefined): Side => ({
    dim,
    slots: dim === undefined ? noDim : slotsOf(layout, shape, dim),
  });
  return {
    outerRows: side(second === undefined ? undefined : first),
    outerColumns: side(second ?? first),
    rows: side(rows),
    columns: side(columns),
    hidden: leading.slice(2),
  };
}

/** The dims that are cut into more than one block, in order. */
export function splitDims(layout: Layout): readonly number[] {
  return layout.dims.flatMap((dim, at) => (dimCount(dim) > 1 ? [at] : []));
}

/** The last two dims; whole ones give way, last first, to split dims that cannot be facets. */
function innerDims(layout: Layout, rank: number, most: number): readonly number[] {
  let inner = [rank - 2, rank - 1].filter((dim) => dim >= 0);
  const split = splitDims(layout);
  for (;;) {
    const leading = split.filter((dim) => !inner.includes(dim));
    const next = leading.at(-1);
    const whole = inner.find((dim) => !split.includes(dim));
    if (next === undefined || whole === undefined || fitAsFacets(layout, leading, most))
      return inner;
    inner = [...inner.filter((dim) => dim !== whole), next].sort((a, b) => a - b);
  }
}

function fitAsFacets(layout: Layout, leading: readonly number[], most: number): boolean {
  const counts = leading.map((dim) => dimCount(layout.dims[dim] ?? { parts: [], chunks: "flat" }));
  return leading.length <= 2 && counts.every((count) => count <= most);
}
