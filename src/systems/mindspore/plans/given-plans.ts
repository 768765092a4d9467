import type { Diagnostic } from "#core/diagnostics";
import type { Operand, Operator, OperatorId, TensorId } from "#core/ir";
import { blockCount, type DeviceMesh, type Layout, wholeLayout } from "#core/mesh";
import { type OperatorPlan, producedLayout, usesIdentifier, wantedLayout } from "#core/plan";
import { fieldOf } from "#core/records";
import { type BuiltGraph, meshFor } from "#language/document/graph";
import {
  type CalledLayout,
  type LayoutSpec,
  type LayoutStrategy,
  shapeOf,
  type TracedOperator,
} from "#language/document/trace";
import type { OperatorModel } from "../operators/model-operator.ts";
import { partsIn } from "./layout-plans.ts";
import { attributeOf } from "./model-call.ts";
import { refuse } from "./reduced-plan.ts";

/**
 * Plan of a reduction with `cross_batch`: its AllReduce is left out, so each device keeps its own
 * partial result (mindspore.md §5.6).
 */
export function withCrossBatch(
  traced: TracedOperator,
  operator: Operator,
  plan: OperatorPlan,
  model: OperatorModel,
  diagnostics: Diagnostic[],
): OperatorPlan {
  const said = attributeOf(traced, "cross_batch");
  const [output] = operator.outputs;
  if (said?.value !== true || output === undefined || model.forward.length > 0) return plan;
  const isSummed = operator.axes.some(
    ({ name }) =>
      !usesIdentifier(output, name) && (fieldOf(plan.strategy.cuts, name)?.length ?? 0) > 0,
  );
  if (!isSummed) return plan;
  const produced: Layout = { ...producedLayout(operator, output, plan), partials: [] };
  const inputs = operator.inputs.map(
    (operand) => [operand.tensor, wantedLayout(operand, plan)] as const,
  );
  const layouts = new Map<TensorId, Layout>([...inputs, [output.tensor, produced]]);
  diagnostics.push({
    code: "mindspore/as-given",
    severity: "warning",
    message: `"cross_batch": the cards are not synchronised after ${traced.op}, so "${operator.name}" has other values on each than in the unsharded program`,
    span: said.span,
  });
  return { ...plan, unverified: { rule: "cross_batch", layouts } };
}

/**
 * Plan of an operator with `self_define_shard`, whose layouts need not follow from its own index
 * space.
 */
export function selfDefinedPlan(
  operator: Operator,
  { inputs, outputs = [], span }: LayoutStrategy,
  spec: LayoutSpec,
  mesh: DeviceMesh,
): OperatorPlan {
  const own = meshFor(spec, mesh);
  const layoutOf = ({ dims }: CalledLayout): Layout => ({
    mesh: own,
    dims: dims.map((dim) => ({ parts: partsIn(dim, spec, own), chunks: "flat" })),
    partials: [],
  });
  const placed = (operands: readonly Operand[], written: readonly CalledLayout[]) =>
    operands.flatMap(({ tensor }, at) => {
      const layout = written[at];
      return layout === undefined ? [] : [[tensor, layoutOf(layout)] as const];
    });
  const layouts = new Map([
    ...placed(operator.inputs, inputs),
    ...placed(operator.outputs, outputs),
  ]);
  return {
    strategy: { cuts: {}, carry: [] },
    mesh: own,
    status: "set",
    span,
    unverified: { rule: "self_define_shard", layouts },
  };
}

/**
 * Plans every Reshape with `skip_redistribution`, in program order, as one local reshape from the
 * layout of its operand to the layout its reader wants (mindspore.md §5.4).
 */
export function addSkippedReshapes(
  built: BuiltGraph,
  plans: Map<OperatorId, OperatorPlan>,
  mesh: DeviceMesh,
  diagnostics: Diagnostic[],
): void {
  const isSkipped = (traced: TracedOperator) =>
    traced.op === "Reshape" && attributeOf(traced, "skip_redistribution")?.value === true;
  if (![...built.operatorOf.keys()].some(isSkipped)) return;
  const neighbours = neighboursIn(built, plans);
  for (const [traced, operator] of built.operatorOf) {
    const said = attributeOf(traced, "skip_redistribution");
    const [input, output] = [operator.inputs[0], operator.outputs[0]];
    if (traced.op !== "Reshape" || said?.value !== true || !input || !output) continue;
    const [before, after] = [...traced.inputs, ...traced.outputs].flatMap((each) =>
      each.kind === "tensor" ? [shapeOf(each)] : [],
    );
    plans.delete(operator.id);
    const from = neighbours.leftBy(input.tensor) ?? wholeLayout(mesh, before ?? []);
    const to = neighbours.wantedOf(output.tensor) ?? wholeLayout(mesh, after ?? []);
    const [has, wants] = [elementsIn(from, before), elementsIn(to, after)];
    if (has !== wants) {
      diagnostics.push(
        refuse(
          said.span,
          `"skip_redistribution": a device holds ${has} elements of "${input.tensor}", but its block of "${operator.name}" has ${wants}; without redistribution both must be cut into as many pieces`,
        ),
      );
      continue;
    }
    const layouts = new Map([
      [input.tensor, from],
      [output.tensor, to],
    ]);
    plans.set(operator.id, {
      strategy: { cuts: {}, carry: [] },
      mesh: to.mesh,
      status: "set",
      span: said.span,
      unverified: { rule: "skip_redistribution", layouts },
    });
    diagnostics.push(...skipped(operator, from, to, said.span));
  }
}

/**
 * Lookups by tensor: the layout that its producer leaves, and the layout that its first planned
 * reader wants.
 */
function neighboursIn({ graph }: BuiltGraph, plans: ReadonlyMap<OperatorId, OperatorPlan>) {
  const makers = new Map(
    graph.operators.flatMap((operator) =>
      operator.outputs.map((operand) => [operand.tensor, { operator, operand }] as const),
    ),
  );
  const leftBy = (tensor: TensorId): Layout | undefined => {
    const maker = makers.get(tensor);
    const plan = maker && plans.get(maker.operator.id);
    if (maker === undefined || plan === undefined) return undefined;
    return plan.reduced ?? { ...producedLayout(maker.operator, maker.operand, plan), partials: [] };
  };
  const wantedOf = (tensor: TensorId): Layout | undefined => {
    const readers = graph.operators.flatMap((operator) =>
      operator.inputs.map((operand) => ({ operand, plan: plans.get(operator.id) })),
    );
    const reader = readers.find(({ operand, plan }) => operand.tensor === tensor && plan);
    return reader?.plan && wantedLayout(reader.operand, reader.plan);
  };
  return { leftBy, wantedOf };
}

function elementsIn({ dims }: Layout, shape: readonly number[] = []): number {
  return shape.reduce(
    (product, size, dim) => product * (size / blockCount(dims[dim]?.parts ?? [])),
    1,
  );
}

/**
 * A warning unless both layouts are replicated: a local reshape of a block may differ from the
 * block of the reshaped tensor.
 */
function skipped(
  operator: Operator,
  from: Layout,
  to: Layout,
  span: TracedOperator["span"],
): readonly Diagnostic[] {
  const isWhole = [from, to].every(({ dims }) => dims.every(({ parts }) => parts.length === 0));
  if (isWhole) return [];
  return [
    {
      code: "mindspore/as-given",
      severity: "warning",
      message: `"skip_redistribution": each device reshapes the block that it holds and nothing is sent, so "${operator.name}" may differ from the unsharded program`,
      span,
    },
  ];
}
