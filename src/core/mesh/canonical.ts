import type { DimLayout, Layout, Part, Partial } from "./layout.ts";
import type { DeviceMesh } from "./mesh.ts";
import { partSize } from "./part.ts";

/**
 * The layout in its one written form (program.md): adjacent sub-axes that continue each other
 * merge, partials stand in mesh order, a cut into one piece goes. Axes of size 1 stay, and so does
 * the order of the axes within a dim. Nested chunks keep their levels, since they cut level by
 * level; a dim with fewer than two of them counts as flat.
 */
export function canonicalLayout(layout: Layout): Layout {
  const { mesh } = layout;
  const ordered = [...layout.partials].sort((a, b) => comparePartials(mesh, a, b));
  return { mesh, dims: layout.dims.map(canonicalDim), partials: mergePartials(ordered) };
}

function canonicalDim(dim: DimLayout): DimLayout {
  const parts = dim.parts.filter((part) => part.kind === "axis" || part.count > 1);
  const levels = parts.filter((part) => partSize(part) > 1).length;
  if (dim.sizes === undefined && dim.chunks === "nested" && levels > 1) {
    return { parts, chunks: "nested" };
  }
  const merged = mergeParts(parts);
  return dim.sizes === undefined
    ? { parts: merged, chunks: "flat" }
    : { parts: merged, sizes: dim.sizes, chunks: "flat" };
}

/** Joins neighbours of a list that continue each other. */
function mergeParts(parts: readonly Part[]): readonly Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    const joined = last === undefined ? undefined : join(last, part);
    if (joined === undefined) merged.push(part);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}

/** The same for partials, which merge only with their own kind. */
function mergePartials(partials: readonly Partial[]): readonly Partial[] {
  const merged: Partial[] = [];
  for (const partial of partials) {
    const last = merged.at(-1);
    const joined = last?.reduce === partial.reduce ? join(last.part, partial.part) : undefined;
    if (joined === undefined) merged.push(partial);
    else merged[merged.length - 1] = { part: joined, reduce: partial.reduce };
  }
  return merged;
}

function join(major: Part, minor: Part): Part | undefined {
  if (major.kind === "pieces" && minor.kind === "pieces") {
    return { kind: "pieces", count: major.count * minor.count };
  }
  if (major.kind === "pieces" || minor.kind === "pieces") return undefined;
  const continues = major.axis === minor.axis && major.before * major.size === minor.before;
  return continues ? { ...major, size: major.size * minor.size } : undefined;
}

function comparePartials(mesh: DeviceMesh, a: Partial, b: Partial): number {
  if (a.part.kind === "pieces" || b.part.kind === "pieces") return 0;
  const [first, second] = [a.part, b.part];
  const at = (name: string) => mesh.axes.findIndex((axis) => axis.name === name);
  return at(first.axis) - at(second.axis) || first.before - second.before;
}
