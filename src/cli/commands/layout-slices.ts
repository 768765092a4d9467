import { checkLayout, parseLayout } from "#core/mesh";
import { type Answer, type Arguments, badRequest } from "./answer.ts";
import { rowBound } from "./listed.ts";
import { readMesh, readShape } from "./mesh-request.ts";
import { sliceRows } from "./slice-rows.ts";

/** Most rows of an answer: a layout of a few characters can have millions. */
const maxRows = 1_000_000;

/** `slices` of a layout on a mesh, for a shape. */
export function layoutSlices(args: Arguments): Answer {
  const mesh = readMesh(args);
  const shape = readShape(args);
  if (!mesh.ok) return { ok: false, diagnostics: mesh.diagnostics };
  if (!shape.ok) return { ok: false, diagnostics: shape.diagnostics };
  if (typeof args.layout !== "string") return badRequest('"layout" must be a text');
  const layout = parseLayout(args.layout, mesh.value);
  if (!layout.ok) return { ok: false, diagnostics: layout.diagnostics };
  const faults = checkLayout(layout.value, shape.value);
  if (faults.length > 0) return { ok: false, diagnostics: faults };
  if (rowBound(layout.value) > maxRows) return badRequest("the layout has too many slices to list");
  return { ok: true, slices: sliceRows({ layout: layout.value }, shape.value), diagnostics: [] };
}
