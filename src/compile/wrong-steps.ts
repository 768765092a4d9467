import type { Diagnostic } from "#core/diagnostics";
import { reshardMatches } from "#core/plan";
import { type Document, reshardEdits } from "#language/document";
import { plainOrder, wrongBlocks, wrongMesh, wrongNumbers } from "#systems/dtensor";
import type { Compiled } from "./compiled.ts";
import { edgesOf } from "./reshard-findings.ts";

/**
 * That DTensor 2.13 computes the steps of a `reshard(…, steps="dtensor")` wrongly, with rewritings that
 * are safe: devices that count up, or the plan's own steps.
 */
export function wrongSteps(
  document: Document,
  { plan: { reshards = [] }, program }: Pick<Compiled, "plan" | "program">,
): readonly Diagnostic[] {
  const chosen = reshards.filter(({ steps }) => steps === "dtensor");
  if (chosen.length === 0) return [];
  const { mesh, source } = document;
  const order = wrongMesh(mesh.mesh);
  const edges = edgesOf(program);
  return chosen.flatMap((request): readonly Diagnostic[] => {
    const spoken = edges.filter(({ tensor, to }) => reshardMatches(request, tensor, to));
    const cut = spoken.flatMap(({ tensor, from, to }) =>
      [from, to].map((layout) => wrongBlocks(layout, tensor.shape)),
    );
    const form = order ?? cut.find((found) => found === "dtensor/flattened-uneven");
    if (form === undefined || spoken.length === 0) return [];
    const written = order !== undefined && mesh.span ? { source, mesh: mesh.span } : undefined;
    const ordered = written === undefined ? [] : plainOrder(written, mesh.mesh.devices.length);
    const { span, target } = request;
    const edits = reshardEdits(document, { name: target, current: span, to: undefined }, undefined);
    const own = edits.length === 0 ? [] : [{ title: "Take the plan's own steps", edits }];
    return [{ ...wrongNumbers(form), ...(span && { span }), fixes: [...ordered, ...own] }];
  });
}
