import type { Layout, Part } from "#core/mesh";
import { NotWritten } from "#systems/arrays";

/** How a tensor lies along one axis of the mesh. */
export type Place =
  | { readonly kind: "whole" }
  | { readonly kind: "cut"; readonly dim: number }
  | { readonly kind: "partial" };

export const whole: Place = { kind: "whole" };

/** How a layout lies along an axis. @throws NotWritten where it is cut by a part of the axis, or so */
export function placeOn({ dims, partials, mesh }: Layout, axis: string, name: string): Place {
  const size = mesh.axes.find((each) => each.name === axis)?.size ?? 1;
  const isHere = (part: Part) => part.kind === "axis" && part.axis === axis;
  const all = [...dims.flatMap(({ parts }) => parts), ...partials.map(({ part }) => part)];
  if (all.some((part) => part.kind === "pieces" && part.count > 1))
    throw new NotWritten(`a device holds several pieces of ${name}`);
  if (all.some((part) => isHere(part) && part.kind === "axis" && part.size !== size))
    throw new NotWritten(`${name} is cut by a part of ${axis}, and a placement takes a whole axis`);
  const dim = dims.findIndex(({ parts }) => parts.some(isHere));
  if (dim >= 0) return { kind: "cut", dim };
  const isPartial = partials.some(({ part }) => isHere(part));
  return isPartial ? { kind: "partial" } : whole;
}

/** Whether two places are the same. */
export function samePlace(a: Place, b: Place): boolean {
  return a.kind === b.kind && (a.kind !== "cut" || b.kind !== "cut" || a.dim === b.dim);
}

/** `Shard(1)`, `Replicate()`; the last dim of a tensor is `Shard(-1)`. */
export function placeText(place: Place, rank: number): string {
  if (place.kind !== "cut") return place.kind === "whole" ? "Replicate()" : "Partial()";
  return place.dim === rank - 1 ? "Shard(-1)" : `Shard(${place.dim})`;
}

/** The collective that takes a tensor from one place to another; none where nothing is sent. */
export function collectiveBetween(from: Place, to: Place): string | undefined {
  if (samePlace(from, to) || from.kind === "whole") return undefined;
  if (from.kind === "partial") return to.kind === "whole" ? "all-reduce" : "reduce-scatter";
  return to.kind === "whole" ? "all-gather" : "all-to-all";
}
