import type { Diagnostic } from "#core/diagnostics";
import type { Graph, TensorId } from "#core/ir";
import { type DeviceMesh, type Layout, parseLayout } from "#core/mesh";

/** Layouts in which results must end, by result name. */
export function readEnds(
  { tensors }: Graph,
  mesh: DeviceMesh,
  outputs: Readonly<Record<string, string>>,
): { readonly ends: ReadonlyMap<TensorId, Layout>; readonly diagnostics: readonly Diagnostic[] } {
  const ends = new Map<TensorId, Layout>();
  const diagnostics: Diagnostic[] = [];
  for (const [name, text] of Object.entries(outputs)) {
    const tensor = tensors.find((each) => each.name === name);
    const layout = parseLayout(text, mesh);
    diagnostics.push(...layout.diagnostics);
    if (tensor?.producer === undefined) diagnostics.push(noResult(name));
    else if (layout.ok && layout.value.dims.length !== tensor.shape.length) {
      diagnostics.push(otherRank(name, text, tensor.shape.length));
    } else if (layout.ok) ends.set(tensor.id, layout.value);
  }
  return { ends, diagnostics };
}

function noResult(name: string): Diagnostic {
  return {
    code: "compile/no-such-result",
    severity: "error",
    message: `"outputs" names "${name}", which no operator makes`,
  };
}

function otherRank(name: string, text: string, rank: number): Diagnostic {
  return {
    code: "compile/output-rank",
    severity: "error",
    message: `"outputs" asks for "${text}", but "${name}" has ${rank} dims`,
  };
}
