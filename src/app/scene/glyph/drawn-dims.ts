import type { Compiled } from "#compile";
import type { Tensor } from "#core/ir";
import { blockCount, type Layout } from "#core/mesh";
import { type DimSlots, noDim, slotsOf } from "./dim-slots.ts";
import type { Halos } from "./halos.ts";
import { type Orientation, orientationIn } from "./orientation.ts";

/** A tensor with the layout in which it is drawn. */
export interface DrawnTensor {
  readonly layout: Layout;
  readonly shape: readonly number[];
  readonly dimNames: readonly string[];
  /** Assignment of dims to rows, columns and facets; the same in every drawing of the tensor. */
  readonly orientation: Orientation;
  /** The attribute that makes copies possibly differ from the true values. */
  readonly unverified?: string;
  /** The windows in which an operator reads the tensor, if they are drawn too. */
  readonly halos?: Halos;
}

/** The drawn tensors of each layout. */
const known = new WeakMap<Layout, DrawnTensor[]>();

/**
 * A tensor of a plan in one of its layouts; the same object again in a plan that leaves it
 * unchanged.
 */
export function drawnIn(
  compiled: Compiled,
  tensor: Pick<Tensor, "id" | "shape" | "dimNames">,
  layout: Layout,
): DrawnTensor {
  const { shape, dimNames } = tensor;
  const orientation = orientationIn(compiled, tensor);
  const all = known.get(layout) ?? [];
  known.set(layout, all);
  const before = all.find(
    (each) =>
      each.orientation === orientation && each.shape === shape && each.dimNames === dimNames,
  );
  if (before !== undefined) return before;
  const made: DrawnTensor = { layout, shape, dimNames, orientation };
  all.push(made);
  return made;
}

/** A dim on one side of a drawing; `dim` is `undefined` if the tensor has none for that side. */
export interface Side {
  readonly dim: number | undefined;
  readonly slots: DimSlots;
}

/**
 * Assignment of dims to sides: `rows` down and `columns` across inside each facet, the facets by
 * `outerRows` and `outerColumns`. `hidden` lists sharded dims without a side.
 */
export interface DrawnDims {
  readonly outerRows: Side;
  readonly outerColumns: Side;
  readonly rows: Side;
  readonly columns: Side;
  readonly hidden: readonly number[];
}

/**
 * The dims to draw, by the tensor's orientation; a dim that is whole in this layout has one slot.
 */
export function drawnDimsOf({ layout, shape, orientation }: DrawnTensor): DrawnDims {
  const { outerRows, outerColumns, rows, columns } = orientation;
  const shown = [outerRows, outerColumns, rows, columns];
  const side = (dim: number | undefined): Side => ({
    dim,
    slots: dim === undefined ? noDim : slotsOf(layout, shape, dim),
  });
  return {
    outerRows: side(outerRows),
    outerColumns: side(outerColumns),
    rows: side(rows),
    columns: side(columns),
    hidden: splitDims(layout).filter((dim) => !shown.includes(dim)),
  };
}

/** Indices of the dims with more than one block, in order. */
export function splitDims(layout: Layout): readonly number[] {
  return layout.dims.flatMap((dim, at) => (blockCount(dim.parts) > 1 ? [at] : []));
}
