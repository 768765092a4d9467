import type { Diagnostic } from "#core/diagnostics";
import { reshardMatches } from "#core/plan";
import { redistributionEdges } from "#core/program";
import type { Document } from "#language/document";
import { reshardEdits } from "#language/document/edit";
import type { PlannedProgram } from "#systems/system";

import { plainOrder } from "./plain-order.ts";
import { cutConvolutions, wrongGather, wrongMesh, wrongNumbers } from "./wrong-numbers.ts";

/**
 * Warnings when a text takes DTensor's steps with `reshard(…, steps="dtensor")` and DTensor 2.13
 * computes them, or a convolution in the same program, wrongly. The fixes are safe: device ids in
 * ascending order, or the plan's own steps.
 */
export function wrongChosenSteps(
  document: Document,
  { plan: { reshards = [] }, program }: PlannedProgram,
): readonly Diagnostic[] {
  const chosen = reshards.filter(({ steps }) => steps === "dtensor");
  if (chosen.length === 0) return [];
  const { mesh, source } = document;
  const order = wrongMesh(mesh.mesh);
  const edges = redistributionEdges(program);
  const convolutions = cutConvolutions(program);
  return chosen.flatMap((request): readonly Diagnostic[] => {
    const spoken = edges.filter(({ tensor, to }) => reshardMatches(request, tensor, to));
    const isMistaken = spoken.some(
      ({ tensor, from, to }) => wrongGather(from, to, tensor.shape) !== undefined,
    );
    const forms = [
      ...(order === undefined ? [] : [order]),
      ...(order === undefined && isMistaken ? (["dtensor/flattened-uneven"] as const) : []),
      ...(convolutions.length > 0 ? (["dtensor/cut-convolution"] as const) : []),
    ];
    if (forms.length === 0 || spoken.length === 0) return [];
    const written = order !== undefined && mesh.span ? { source, mesh: mesh.span } : undefined;
    const ordered = written === undefined ? [] : plainOrder(written, mesh.mesh.devices.length);
    const { span, target } = request;
    const edits = reshardEdits(document, { name: target, current: span, to: undefined }, undefined);
    const own = edits.length === 0 ? [] : [{ title: "Take the plan's own steps", edits }];
    return forms.map((form) => ({
      ...{ ...wrongNumbers(form), ...(span && { span }) },
      fixes: form === order ? [...ordered, ...own] : own,
    }));
  });
}
