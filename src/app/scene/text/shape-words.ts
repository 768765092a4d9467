import type { Tensor } from "#core/ir";

/** The sizes of a tensor as a card says them: `8 × 16`, `scalar` of one without dims, nothing of an unknown one. */
export function shapeWords({ shape, isUnknown }: Pick<Tensor, "shape" | "isUnknown">): string {
  if (isUnknown === true) return "";
  return shape.length === 0 ? "scalar" : shape.join(" × ");
}
