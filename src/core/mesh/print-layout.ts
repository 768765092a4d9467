import { canonicalLayout } from "./canonical.ts";
import type { DimLayout, Layout, Part, Partial } from "./layout.ts";
import type { DeviceMesh } from "./mesh.ts";
import { printMesh } from "./mesh-text.ts";
import { axisSize } from "./part.ts";

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
