import { product } from "#core/arithmetic";
import type { Diagnostic } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import type { DeviceMesh, DimLayout, Part } from "#core/mesh";
import { type OperatorPlan, producedLayout, usesIdentifier } from "#core/plan";
import { fieldOf } from "#core/records";
import type { TracedOperator } from "#language/document/trace";
import { checkPieces } from "../devices.ts";
import { modelOperator, type OperatorModel } from "../operators/model-operator.ts";
import { attributeOf, modelCall, modelled, planOfModel, writtenStrategy } from "./model-call.ts";

/**
 * Whether an operator is a gather, for which MindSpore has a mode per way of cutting (mindspore.md
 * §5.5).
 */
export function isGather({ op, primitive }: TracedOperator): boolean {
  return /^(Gather|SparseGatherV2|EmbeddingLookup)$/.test(op) && primitive !== undefined;
}

/**
 * The device matrix of a gather, which depends on its mode; `undefined` for other operators or
 * without tuples.
 */
export function gatherMatrix(traced: TracedOperator): readonly number[] | undefined {
  const { strategy } = traced;
  if (!isGather(traced) || strategy?.kind !== "tuples") return undefined;
  const [param = [], indices = []] = strategy.values;
  const isManual = ["manual_split", "manual_split_with_offset"].some(
    (name) => attributeOf(traced, name) !== undefined,
  );
  if (isManual) return param;
  // Shared leading batch dims are cut once.
  const shared = Number(traced.primitive?.arguments.batch_dims ?? 0);
  const all = [...param, ...indices.slice(shared)];
  const devices = product(all);
  const call = modelCall(traced, devices);
  const written = call && writtenStrategy(strategy);
  const model = call && written && modelOperator(call, written);
  return model?.ok === true ? model.value.deviceMatrix : [...indices, ...param];
}

/**
 * The plan of a gather by its mode: cuts, mesh, and the layout of its result. `undefined` if it is
 * refused.
 */
export function gatherPlan(
  traced: TracedOperator,
  operator: Operator,
  matrix: readonly number[] | undefined,
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
): OperatorPlan | undefined {
  const span = traced.strategy?.span;
  if (matrix !== undefined && span !== undefined) {
    const faults = checkPieces(operator.name, matrix, mesh.devices.length, span);
    diagnostics.push(...faults);
    if (faults.length > 0) return undefined;
  }
  const model = modelled(traced, mesh.devices.length, diagnostics);
  if (model === undefined || model === "refused") return undefined;
  const target = attributeOf(traced, "primitive_target");
  if (target?.value === "CPU") {
    diagnostics.push({
      code: "mindspore/runs-on-cpu",
      severity: "info",
      message: `"${operator.name}" runs on the CPU of each host ("primitive_target"): the slices stay the same`,
      span: target.span,
    });
  }
  const status = span === undefined ? "assumed" : "set";
  const plan = { ...planOfModel(operator, model, mesh), status, ...(span && { span }) } as const;
  const isManual = model.forward.length === 0 && hasSharedAxis(plan, operator);
  return isManual
    ? manualPlan(traced, operator, plan, diagnostics)
    : withScattered(operator, plan, model);
}

/**
 * Whether the rows of the first input are cut without a reduction of the results, which happens
 * only with a manual split.
 */
function hasSharedAxis({ strategy }: OperatorPlan, operator: Operator): boolean {
  const [output] = operator.outputs;
  return operator.axes.some(
    ({ name }) =>
      output !== undefined &&
      !usesIdentifier(output, name) &&
      fieldOf(strategy.cuts, name) !== undefined,
  );
}

/** Appends the parts that cut the rows to dim 0 of the result if MindSpore scatters it. */
function withScattered(
  operator: Operator,
  plan: OperatorPlan,
  { forward }: OperatorModel,
): OperatorPlan {
  const [output] = operator.outputs;
  if (output === undefined || forward[0]?.primitive !== "ReduceScatter") return plan;
  const produced = producedLayout(operator, output, plan);
  const summed = operator.axes
    .filter(({ name }) => !usesIdentifier(output, name))
    .flatMap(({ name }) => fieldOf(plan.strategy.cuts, name) ?? []);
  const [first, ...rest] = produced.dims;
  if (first === undefined) return plan;
  const dims = [{ ...first, parts: [...first.parts, ...summed] }, ...rest];
  return { ...plan, reduced: { ...produced, dims, partials: [] } };
}

/**
 * Gather with `manual_split`: rows of the first input in blocks of the given lengths, and columns
 * of the indices cut by the same axes. Each device looks up its columns in its own rows
 * (mindspore.md §5.5).
 */
function manualPlan(
  traced: TracedOperator,
  operator: Operator,
  plan: OperatorPlan,
  diagnostics: Diagnostic[],
): OperatorPlan {
  const said =
    attributeOf(traced, "manual_split_with_offset") ?? attributeOf(traced, "manual_split");
  const [table, indices] = operator.inputs;
  const rows = table?.dims[0]?.splittable;
  const columns = indices?.dims.at(-1)?.splittable;
  if (said === undefined || rows === undefined || columns === undefined) return plan;
  const parts: readonly Part[] = fieldOf(plan.strategy.cuts, rows) ?? [];
  const list = Array.isArray(said.value) ? said.value : [];
  const sizes = list.map((element) => Number([element].flat()[0]));
  const { [rows]: _rows, [columns]: _columns, ...cuts } = plan.strategy.cuts;
  const axes: Readonly<Record<string, DimLayout>> = {
    [rows]: { parts, sizes, chunks: "flat" },
    [columns]: { parts, chunks: "flat" },
  };
  diagnostics.push({
    code: "mindspore/as-given",
    severity: "info",
    message: `"${said.name}": every device looks its columns of the indices up in its own ${sizes.join(", ")} rows alone; an index outside of them finds zeros`,
    span: said.span,
  });
  return { ...plan, strategy: { cuts, carry: [] }, unverified: { rule: said.name, axes } };
}
