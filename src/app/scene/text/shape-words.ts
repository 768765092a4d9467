import type { Tensor } from "#core/ir";

/** The sizes of a tensor on a card: `8 × 16`, `scalar` for rank 0, empty for an unknown shape. */
export function shapeWords({ shape, isUnknown }: Pick<Tensor, "shape" | "isUnknown">): string {
  if (isUnknown === true) return "";
  return shape.length === 0 ? "scalar" : shape.join(" × ");
}
