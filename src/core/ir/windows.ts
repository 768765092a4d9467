import type { Expr } from "./body/body.ts";
import { add, less, mul, quotient, remainder, sub } from "./body/expressions.ts";
import { type CallShapes, type KnownSize, perDim } from "./call.ts";

/** The way a window slides along one spatial dim. */
export interface Window {
  readonly size: number;
  readonly stride: number;
  readonly padding: number;
  readonly dilation: number;
}

/** A call by its arguments that are no tensors. */
export type WithAttributes = Pick<CallShapes, "attributes">;

/** The windows of a convolution over spatial dims with the given kernel sizes. */
export function windowsOf(call: WithAttributes, sizes: readonly KnownSize[]): readonly Window[] {
  const strides = perDim(call, "stride", sizes.length, 1);
  const paddings = perDim(call, "padding", sizes.length, 0);
  const dilations = perDim(call, "dilation", sizes.length, 1);
  return sizes.map((size, dim) => ({
    size: size ?? 1,
    stride: strides[dim] ?? 1,
    padding: paddings[dim] ?? 0,
    dilation: dilations[dim] ?? 1,
  }));
}

/** Length of the result: `⌊(n + 2·padding − dilation·(size − 1) − 1) / stride⌋ + 1`. */
export function slid(length: KnownSize, { size, stride, padding, dilation }: Window): number {
  const reach = (length ?? size) + 2 * padding - dilation * (size - 1) - 1;
  return Math.max(0, Math.floor(reach / stride) + 1);
}

/** The input index under tap `tap` of the window at `place`. */
export function under(place: Expr, tap: Expr, { stride, padding, dilation }: Window): Expr {
  return sub(add(mul(place, stride), mul(tap, dilation)), padding);
}

/** The window whose tap `tap` lies on an input index, and whether such a window exists. */
export function over(place: Expr, tap: Expr, { stride, padding, dilation }: Window) {
  const reach = sub(add(place, padding), mul(tap, dilation));
  return { at: quotient(reach, stride), isThere: less(remainder(reach, stride), 1) };
}

/** Identifiers of the spatial dims, and of the places inside a window, in annotations. */
export const spatialNames = ["h", "w", "d"];
export const tapNames = ["y", "x", "z"];
