import type { Diagnostic } from "#core/diagnostics";
import type { TensorId } from "#core/ir";
import type { Layout } from "#core/mesh";
import type { Document } from "#language/document";
import type { PlannedProgram } from "#systems/system";
import { parallelIn, type StyledModule } from "../record.ts";
import { MeshParts } from "./mesh-parts.ts";
import { ModuleOperators } from "./module-operators.ts";
import { dimOf } from "./style-cuts.ts";

/**
 * Styles that take what their layer is given for something else than it is. PyTorch believes them: of
 * a plain tensor it knows no layout, so it computes with pieces as if they were the whole, or the other
 * way round. The board redistributes instead, and says so.
 */
export function otherLayouts(document: Document, planned: PlannedProgram): readonly Diagnostic[] {
  const record = parallelIn(document.trace);
  if (record === undefined || record.styles.length === 0) return [];
  const operators = new ModuleOperators(document.built);
  const parts = new MeshParts(document.mesh.mesh);
  const prepared = new Set(
    record.calls.flatMap(({ args }) =>
      args.map(({ value }) => operators.idOf(record.tensorOf(value))),
    ),
  );
  const distributed = new Set(
    record.styles.flatMap(({ module, style }) =>
      style.isLocal ? [] : operators.resultsOf(module).map((id) => id),
    ),
  );
  const found = record.styles.flatMap((styled): readonly Diagnostic[] => {
    const { module, style } = styled;
    if (style.kind !== "columns" && style.kind !== "rows") return [];
    const given = operators.of(module)[0]?.inputs[0]?.tensor;
    if (given === undefined || prepared.has(given) || distributed.has(given)) return [];
    const layout = layoutOf(planned, given);
    const [word] = style.inputs;
    if (layout === undefined || word === undefined || word.kind === "partial") return [];
    const over = parts.of(styled.mesh).map((part) => JSON.stringify(part));
    const isOn = (dim: number) =>
      over.every((part) => layout.dims[dim]?.parts.some((other) => JSON.stringify(other) === part));
    const dim = dimOf(word, layout.dims.length);
    const cut = layout.dims.findIndex((_, at) => isOn(at));
    return over.length === 0 || cut === (dim ?? -1) ? [] : [otherLayout(styled, given, cut)];
  });
  return found.slice(0, 1);
}

/** How a tensor lies where it is made, or is put. */
function layoutOf({ plan, program }: PlannedProgram, id: TensorId): Layout | undefined {
  const made = program.made.get(id);
  const placed = plan.placements.get(id)?.layout;
  return placed ?? program.values.find((value) => value.id === made)?.layout;
}

function otherLayout(
  { style, path, span }: StyledModule,
  given: TensorId,
  cut: number,
): Diagnostic {
  const [word] = style.inputs;
  const said = word?.kind === "shard" ? `Shard(${word.dim})` : "Replicate()";
  const is = cut < 0 ? "whole on every rank" : `cut on dim ${cut}`;
  return {
    code: "torch/other-layout",
    severity: "warning",
    message: `"${path}" takes what it is given as ${said}, but "${given}" is ${is}: PyTorch would compute with it as it is, and the board redistributes it`,
    span,
  };
}
