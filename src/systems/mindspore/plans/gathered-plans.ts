import type { Diagnostic } from "#core/diagnostics";
import type { Operator, TensorId } from "#core/ir";
import type { DeviceMesh, Layout, Part } from "#core/mesh";
import type { OperatorPlan, Placement } from "#core/plan";
import { arrange } from "#language/document/graph";
import type { TracedOperator } from "#language/document/trace";
import { modelOperator, type OperatorModel } from "../operators/model-operator.ts";
import { modelCall, writtenStrategy } from "./model-call.ts";

/** A product whose inputs are gathered first, with the layouts of its inputs before the gather. */
export interface GatheredPlan {
  readonly plan: OperatorPlan;
  readonly placements: readonly (readonly [TensorId, Placement])[];
}

/**
 * A product with equal strategies that use every device: rows cut by the first axis, columns by the
 * second. Both inputs are cut by both axes and gathered along the contraction (mindspore.md §5.1,
 * "PCL"). `undefined` for every other operator.
 */
export function gatheredPlan(
  traced: TracedOperator,
  operator: Operator,
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
): GatheredPlan | undefined {
  const call = modelCall(traced, mesh.devices.length);
  const strategy = writtenStrategy(traced.strategy);
  const span = traced.strategy?.span;
  if (call === undefined || strategy?.kind !== "tuples" || span === undefined) return undefined;
  const model = modelOperator(call, strategy);
  const isProduct = /^(Batch)?MatMul/.test(traced.op);
  if (!model.ok || !isProduct || !isGatheredFirst(model.value)) return undefined;
  const { mesh: own, parts } = arrange(mesh, model.value.deviceMatrix);
  const dims = operator.outputs[0]?.dims ?? [];
  const cuts: Readonly<Record<string, readonly Part[]>> = Object.fromEntries(
    dims.flatMap(({ splittable }, dim) =>
      splittable === undefined ? [] : [[splittable, parts[dim] ?? []]],
    ),
  );
  const layout: Layout = {
    mesh: own,
    dims: parts.map((list) => ({ parts: list, chunks: "flat" })),
    partials: [],
  };
  diagnostics.push({
    code: "mindspore/gathered-form",
    severity: "info",
    message: `equal strategies that use all ${mesh.devices.length} devices: MindSpore gathers both inputs of "${operator.name}" along what it contracts, and reduces nothing`,
    span,
  });
  const placements = leavesOf(traced, operator).map(
    (tensor) => [tensor, { layout, status: "set", span }] as const,
  );
  return { plan: { strategy: { cuts, carry: [] }, mesh: own, status: "set", span }, placements };
}

/** Whether an operator gathers before it computes; only Reshape and this form of MatMul do. */
export function isGatheredFirst({ forward }: OperatorModel): boolean {
  return forward.some(({ primitive }) => primitive === "AllGather");
}

/** The inputs that no operator produces. */
function leavesOf(traced: TracedOperator, { inputs }: Operator): readonly TensorId[] {
  const tensors = traced.inputs.filter((input) => input.kind === "tensor");
  return inputs.flatMap(({ tensor }, at) =>
    tensors[at]?.role === "input" || tensors[at]?.role === "parameter" ? [tensor] : [],
  );
}
