import { product } from "#core/arithmetic";
import type { Diagnostic } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import type { DeviceMesh } from "#core/mesh";
import type { OperatorPlan } from "#core/plan";
import type { LayoutStrategy, ShardStrategy, TracedOperator } from "#language/document/trace";
import { modelOperator, type OperatorModel } from "../operators/model-operator.ts";
import { layoutPlan } from "./layout-plans.ts";
import { modelCall, writtenStrategy } from "./model-call.ts";

/**
 * MindSpore's model of a strategy, on the number of devices that one tuple, or all together, imply;
 * `undefined` if refused.
 */
export function ownModel(traced: TracedOperator): OperatorModel | undefined {
  const strategy = writtenStrategy(traced.strategy);
  const tuples = traced.strategy?.kind === "tuples" ? traced.strategy.values : [];
  const counts = [...tuples, tuples.flat()].map((tuple) => product(tuple));
  for (const devices of new Set(counts.filter((count) => count > 0))) {
    const call = modelCall(traced, devices);
    const model = call && strategy && modelOperator(call, strategy);
    if (model?.ok === true) return model.value;
  }
  return undefined;
}

/** Warns of a strategy that MindSpore accepts but that cuts of the index space cannot express. */
export function notDrawn(
  { name, op }: Operator,
  { span }: Pick<ShardStrategy, "span">,
): Diagnostic {
  return {
    code: "mindspore/not-drawn",
    severity: "warning",
    message: `MindSpore takes this strategy of "${name}", but such a cut of ${op} is not drawn here: it runs whole on every device`,
    span,
  };
}

/** Warns that a strategy has no effect, since MindSpore folds the result into a constant. */
export function isConstant({ name }: Operator, { span }: Pick<ShardStrategy, "span">): Diagnostic {
  const message = `MindSpore works "${name}" out while it compiles: its strategy cuts nothing, and it is whole on every device`;
  return { code: "mindspore/not-drawn", severity: "warning", message, span };
}

/** Warns that MindSpore removes an operator, and with it a strategy that it would refuse. */
export function isRemoved({ name }: Operator, { span }: Pick<ShardStrategy, "span">): Diagnostic {
  const message = `MindSpore removes "${name}" while it compiles and never checks its strategy, which fits no cut: it is drawn whole on every device`;
  return { code: "mindspore/not-drawn", severity: "warning", message, span };
}

/**
 * Layouts as cuts of the index axes; if MindSpore accepts Layouts that these cannot express, the
 * operator is whole.
 */
export function layoutsPlan(
  traced: TracedOperator,
  operator: Operator,
  strategy: LayoutStrategy,
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
): OperatorPlan | undefined {
  const faults: Diagnostic[] = [];
  const plan = layoutPlan(operator, strategy, mesh, faults);
  const written = writtenStrategy(strategy);
  const call = faults.length > 0 ? modelCall(traced, mesh.devices.length) : undefined;
  const model = call && written && modelOperator(call, written);
  if (model?.ok !== true) {
    diagnostics.push(...faults);
    return plan;
  }
  const { span } = strategy;
  diagnostics.push(
    ...model.diagnostics.map((each) => ({ ...each, span })),
    notDrawn(operator, strategy),
  );
  return { strategy: { cuts: {}, carry: [] }, mesh, status: "assumed", span };
}
