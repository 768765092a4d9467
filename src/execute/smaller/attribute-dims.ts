import type { Attributes } from "#core/ir";

/** The dim that `dim` or `axis` names, counted from the front; the first if absent. */
export function fromFrontOf({ dim, axis }: Attributes, rank: number): number {
  const asked = typeof dim === "number" ? dim : typeof axis === "number" ? axis : 0;
  return asked < 0 ? asked + rank : asked;
}
