import type { Value } from "#language/python";
import type { Size } from "../size.ts";
import { assumedOf } from "./assumed.ts";
import { integerOf, itemsOf, numberOf } from "./values.ts";

/** A size as a program writes it: an integer (`True` is 1), or a name that it does not define. */
export function sizeOf(value: Value): Size | undefined {
  if (value.kind === "bool") return numberOf(value);
  return assumedOf(value)?.size ?? integerOf(value);
}

/** Tensors have no more dims than this, so that an annotation of one stays readable. */
export const rankLimit = 64;

/** A shape as a program writes it: one size, or a tuple or list of them. */
export function shapeOf(value: Value): readonly Size[] | undefined {
  const items = itemsOf(value) ?? [value];
  if (items.length > rankLimit) return undefined;
  const written = items.map(sizeOf);
  return written.every((size) => size !== undefined) ? written : undefined;
}
