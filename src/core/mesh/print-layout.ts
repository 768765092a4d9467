import {
  axisSize,
  type DimLayout,
  type Layout,
  type Part,
  type Partial,
  partSize,
} from "./layout.ts";
import type { DeviceMesh } from "./mesh.ts";
import { printMesh } from "./mesh-text.ts";

/**
 * The canonical text of a layout (commands.md, "Layout text"): `dp,_,sp*mp|max(tp)`; `()` is rank 0.
 *
 * Beyond that grammar, pieces print as `~2` and explicit sizes behind their dim as `x{3,5}`.
 * Nested chunks have no sign: they are read back with `parseLayout(text, mesh, "nested")`.
 */
export function printLayout(layout: Layout): string {
  const { mesh, dims, partials } = canonicalLayout(layout);
  const cuts = dims.length === 0 ? "()" : dims.map((dim) => printDim(mesh, dim)).join(",");
  if (partials.length === 0) return cuts;
  return `${cuts}|${partials.map((partial) => printPartial(mesh, partial)).join(",")}`;
}

/** A part as the layout text writes it: `x`, `x:(2)4`, or `~2` for pieces. */
export function printPart(mesh: DeviceMesh, part: Part): string {
  if (part.kind === "pieces") return `~${part.count}`;
  const isWhole = part.before === 1 && part.size === axisSize(mesh, part.axis);
  return isWhole ? part.axis : `${part.axis}:(${part.before})${part.size}`;
}

/** Whether two layouts are written alike on the same mesh, once canonical. Links do not count. */
export function sameLayout(a: Layout, b: Layout): boolean {
  return layoutKey(a) === layoutKey(b);
}

/** A text that two layouts share exactly when `sameLayout` holds: a key for maps. */
export function layoutKey(layout: Layout): string {
  const chunks = canonicalLayout(layout).dims.map((dim) => dim.chunks.charAt(0));
  return `${printMesh(layout.mesh)} ${printLayout(layout)} ${chunks.join("")}`;
}

function printDim(mesh: DeviceMesh, dim: DimLayout): string {
  const parts = dim.parts.map((part) => printPart(mesh, part)).join("*");
  const sizes = dim.sizes === undefined ? "" : `{${dim.sizes.join(",")}}`;
  return `${parts === "" ? "_" : parts}${sizes}`;
}

function printPartial(mesh: DeviceMesh, { part, reduce }: Partial): string {
  const text = printPart(mesh, part);
  return reduce === "sum" ? text : `${reduce}(${text})`;
}

/**
 * Canonical form of a layout (program.md). Adjacent consecutive sub-axes are merged, partials are
 * in mesh order, and cuts into one piece are dropped. Axes of size 1 and the order of axes within a
 * dim are kept. Nested chunks keep their levels, since they cut level by level; a dim with fewer
 * than two of them counts as flat.
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
export function mergeParts(parts: readonly Part[]): readonly Part[] {
  const merged: Part[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    const joined = last === undefined ? undefined : join(last, part);
    if (joined === undefined) merged.push(part);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}

/** Joins partials of the same kind that continue each other. */
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
