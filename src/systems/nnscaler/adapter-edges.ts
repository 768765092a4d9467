import type { Graph, Operand, Operator, OperatorId, Tensor } from "#core/ir";
import { type DeviceMesh, type Layout, type Part, wholeLayout } from "#core/mesh";
import { type OperatorPlan, producedLayout, wantedLayout } from "#core/plan";

/** Source and target layout of an adapter. */
export interface AdapterWay {
  readonly from: Layout;
  readonly to: Layout;
}

/** A tensor between its producer and one reader, with its gradient in the other direction. */
export interface AdapterEdge {
  readonly tensor: Tensor;
  /** Undefined for an input of the program, which is whole. */
  readonly producer?: Operator;
  /** Undefined for a result of the program, which is made whole. */
  readonly reader?: Operator;
  readonly forward: AdapterWay;
  /** Undefined for tensors without a gradient. */
  readonly backward?: AdapterWay;
}

/** The forward operators of a program with their plans. */
export interface SplitProgram {
  readonly graph: Pick<Graph, "operators" | "tensors">;
  /** The plan of an operator; tensors of operators without one have no edges. */
  readonly planOf: (operator: OperatorId) => OperatorPlan | undefined;
  readonly mesh: DeviceMesh;
  /** Tensors that the program returns. */
  readonly results: ReadonlySet<Tensor["id"]>;
  /** Parameters with a `graph.multiref` call: they are stored whole, and have adapters too. */
  readonly wholeParameters?: ReadonlySet<Tensor["id"]>;
}

const floats: ReadonlySet<string> = new Set(["f64", "f32", "f16", "bf16"]);

/**
 * The edges for which nnScaler makes an adapter, in program order of the readers, results last
 * (dimops.md §6). Every reader of a tensor has its own, as after `graph.multiref`. Parameters have
 * none: they are stored in the layout in which they are read.
 */
export function adapterEdges(program: SplitProgram): readonly AdapterEdge[] {
  const { graph, planOf, mesh, results, wholeParameters } = program;
  const isStored = ({ id, role }: Tensor) =>
    (role === "parameter" || role === "state") && wholeParameters?.has(id) !== true;
  const tensors = new Map(graph.tensors.map((tensor) => [tensor.id, tensor]));
  const makers = new Map(
    graph.operators.flatMap((operator) =>
      operator.outputs.map((output) => [output.tensor, { operator, output }] as const),
    ),
  );
  const madeBy = (tensor: Tensor) => {
    const made = makers.get(tensor.id);
    const plan = made && planOf(made.operator.id);
    const from =
      made && plan
        ? producedLayout(made.operator, made.output, plan)
        : wholeLayout(mesh, tensor.shape);
    return { from, ...(made && { producer: made.operator }) };
  };
  const isUnplanned = ({ id }: Tensor) => {
    const made = makers.get(id);
    return made !== undefined && planOf(made.operator.id) === undefined;
  };
  const edgeTo = (tensor: Tensor, to: Layout, gradient: Layout, reader?: Operator): AdapterEdge => {
    const { from, producer } = madeBy(tensor);
    const back = { from: gradient, to: { ...from, partials: [] } };
    return {
      ...{ tensor, forward: { from, to } },
      ...(producer && { producer }),
      ...(reader && { reader }),
      ...(floats.has(tensor.dtype) && { backward: back }),
    };
  };
  const read = graph.operators.flatMap((reader) =>
    inGraphOrder(reader.inputs, program).flatMap((operand): readonly AdapterEdge[] => {
      const [tensor, plan] = [tensors.get(operand.tensor), planOf(reader.id)];
      if (tensor === undefined || plan === undefined || isStored(tensor)) return [];
      if (isUnplanned(tensor)) return [];
      const gradient = gradientLayout(operand, plan);
      return [edgeTo(tensor, wantedLayout(operand, plan), gradient, reader)];
    }),
  );
  const left = graph.tensors
    .filter((tensor) => results.has(tensor.id) && !isUnplanned(tensor))
    .map((tensor) => {
      const whole = wholeLayout(mesh, tensor.shape);
      return edgeTo(tensor, whole, whole);
    });
  return [...read, ...left];
}

/**
 * Operands in the order of tensors in nnScaler's graph. Tensors with one reader come at their
 * producer or first reader; then aliases, which `graph.multiref` makes later: of parameters, then
 * of tensors with several readers.
 */
function inGraphOrder(
  operands: readonly Operand[],
  { graph: { operators }, wholeParameters }: SplitProgram,
): readonly Operand[] {
  const touches = (list: readonly Operand[], { tensor }: Operand) =>
    list.some((each) => each.tensor === tensor);
  const rank = (operand: Operand) => {
    const readers = operators.filter(({ inputs }) => touches(inputs, operand));
    const isShared = wholeParameters?.has(operand.tensor) === true;
    const group = isShared ? 1 : readers.length > 1 ? 2 : 0;
    const maker = operators.findIndex(({ outputs }) => touches(outputs, operand));
    const first = operators.findIndex(({ inputs }) => touches(inputs, operand));
    return (maker < 0 ? 2 * first : 2 * maker + 1) + group * 2 * operators.length;
  };
  return operands.length < 2 ? operands : operands.toSorted((a, b) => rank(a) - rank(b));
}

/**
 * The layout of an operand's gradient as an operator's pieces produce it: chunked like the operand,
 * and partial over every part of the mesh that cuts another axis (dimops.md §3).
 */
function gradientLayout(operand: Operand, plan: OperatorPlan): Layout {
  const own = wantedLayout(operand, plan);
  const cuts = new Set(operand.dims.flatMap(({ splittable }) => splittable ?? []));
  const beside = Object.entries(plan.strategy.cuts).flatMap(([axis, parts]) =>
    cuts.has(axis) ? [] : parts.filter(({ kind }) => kind === "axis"),
  );
  const partials = inMeshOrder(beside, plan.mesh).map((part) => ({ part, reduce: "sum" as const }));
  return { ...own, partials };
}

function inMeshOrder(parts: readonly Part[], { axes }: DeviceMesh): readonly Part[] {
  const rank = (part: Part) =>
    part.kind === "axis" ? axes.findIndex(({ name }) => name === part.axis) : -1;
  const before = (part: Part) => (part.kind === "axis" ? part.before : 0);
  return [...parts].sort((a, b) => rank(a) - rank(b) || before(a) - before(b));
}
