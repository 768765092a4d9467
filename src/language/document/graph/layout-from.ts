import type { Diagnostic, Span } from "#core/diagnostics";
import type { Tensor } from "#core/ir";
import {
  type DeviceMesh,
  type Layout,
  type Part,
  parseLayout,
  partsCoexist,
  wholeAxis,
} from "#core/mesh";
import type { WrittenAxes, WrittenLayout } from "../trace/written-layouts.ts";

/** Axis of an arrangement that splits inside one device. */
const interleaved = "interleaved_parallel";

/**
 * Mesh parts for axis names, and for sub-axes such as `y:(1)2`; unknown ones are reported and left
 * out.
 */
export function axesOfMesh(
  written: WrittenAxes,
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
): readonly Part[] {
  const parts: Part[] = [];
  for (const { name, span } of written.axes) {
    if (mesh.axes.some((axis) => axis.name === name)) parts.push(wholeAxis(mesh, name));
    else parts.push(...partsOfAxis({ name, span }, mesh, diagnostics));
  }
  return parts;
}

/** Parts named by a sub-axis notation; an unknown axis is reported. */
function partsOfAxis(
  { name, span }: WrittenAxes["axes"][number],
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
): readonly Part[] {
  const [whole = ""] = name.split(":");
  if (whole === name || !mesh.axes.some((axis) => axis.name === whole)) {
    diagnostics.push(unknownAxis(name, mesh, span));
    return [];
  }
  const read = parseLayout(name, mesh);
  if (read.ok) return read.value.dims.flatMap(({ parts }) => parts);
  diagnostics.push(...read.diagnostics.map((fault) => ({ ...fault, span })));
  return [];
}

function unknownAxis(name: string, mesh: DeviceMesh, span: Span): Diagnostic {
  const known = mesh.axes.map((axis) => `"${axis.name}"`).join(", ");
  const has = known === "" ? "it has no axes yet: write mesh = Mesh(…)" : `it has ${known}`;
  return {
    code: "document/unknown-axis",
    severity: "error",
    message: `the mesh has no axis "${name}"; ${has}`,
    span,
    ...offering(
      mesh.axes.map((axis) => `"${axis.name}"`),
      span,
    ),
  };
}

/** One fix per word that could replace a span; none for more than four words. */
export function offering(words: readonly string[], span: Span): Pick<Diagnostic, "fixes"> {
  if (words.length === 0 || words.length > 4) return {};
  return { fixes: words.map((text) => ({ title: `Write ${text}`, edits: [{ ...span, text }] })) };
}

/**
 * Layout of a tensor from its written form. Faults are reported and left out where possible;
 * `undefined` when the rank is wrong.
 */
export function layoutFrom(
  tensor: Pick<Tensor, "name" | "shape" | "dimNames">,
  written: WrittenLayout,
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
  virtual?: number,
): Layout | undefined {
  if (written.dims.length !== tensor.shape.length) {
    diagnostics.push({
      code: "document/layout-rank",
      severity: "error",
      message: `the layout has ${written.dims.length} dims, but "${tensor.name}" has ${tensor.shape.length}`,
      span: written.span,
      ...otherRank(written, tensor.shape.length),
    });
    return undefined;
  }
  const used: { readonly part: Part; readonly dim: number }[] = [];
  const dims = written.dims.map((axes, dim) => {
    const real = axes.axes.filter(({ name }) => virtual === undefined || name !== interleaved);
    const inside =
      real.length < axes.axes.length ? [{ kind: "pieces", count: virtual ?? 1 } as const] : [];
    const parts = [...axesOfMesh({ ...axes, axes: real }, mesh, diagnostics), ...inside];
    const free = parts.filter((part) => isFree(part, dim, used, tensor, axes, diagnostics));
    return { parts: free, chunks: "flat" } as const;
  });
  return { mesh, dims, partials: [] };
}

/**
 * Fix for a layout of the wrong rank: appends "None" for missing dims, or removes surplus ones at
 * the end.
 */
function otherRank({ dims }: WrittenLayout, rank: number): Pick<Diagnostic, "fixes"> {
  const [last, kept] = [dims.at(-1), dims[rank - 1]];
  if (last === undefined || kept === undefined || rank > dims.length) {
    if (last === undefined || rank < dims.length) return {};
    const text = ', "None"'.repeat(rank - dims.length);
    const edit = { from: last.span.to, to: last.span.to, text };
    return { fixes: [{ title: 'Write "None" for the other dims', edits: [edit] }] };
  }
  if (dims.slice(rank).some(({ axes }) => axes.length > 0)) return {};
  const edit = { from: kept.span.to, to: last.span.to, text: "" };
  return { fixes: [{ title: 'Take the last "None" out', edits: [edit] }] };
}

function isFree(
  part: Part,
  dim: number,
  used: { readonly part: Part; readonly dim: number }[],
  tensor: Pick<Tensor, "name" | "dimNames">,
  written: WrittenAxes,
  diagnostics: Diagnostic[],
): boolean {
  if (part.kind !== "axis") return true;
  const earlier = used.find((other) => !partsCoexist(other.part, part))?.dim;
  if (earlier === undefined) {
    used.push({ part, dim });
    return true;
  }
  diagnostics.push({
    code: "document/axis-used-twice",
    severity: "error",
    message: `"${part.axis}" already splits "${tensor.dimNames[earlier] ?? earlier}" of "${tensor.name}"`,
    span: written.span,
    ...(written.axes.length === 1 && offering(['"None"'], written.span)),
  });
  return false;
}
