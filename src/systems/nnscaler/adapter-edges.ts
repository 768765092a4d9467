import type { Graph, Operand, Operator, OperatorId, Tensor } from "#core/ir";
import { type DeviceMesh, type Layout, type Part, wholeLayout } from "#core/mesh";
import { type OperatorPlan, producedLayout, wantedLayout } from "#core/plan";

/** A tensor that goes from one layout to another: what an adapter is made for. */
export interface AdapterWay {
  readonly from: Layout;
  readonly to: Layout;
}

/** A tensor on its way to one of its readers, and its gradient on the way back. */
export interface AdapterEdge {
  readonly tensor: Tensor;
  /** Absent where it is an input of the program, which comes whole. */
  readonly producer?: Operator;
  /** Absent where it is a result of the program, which leaves whole. */
  readonly reader?: Operator;
  readonly forward: AdapterWay;
  /** Absent where nothing is derived by the tensor. */
  readonly backward?: AdapterWay;
}

/** The forward operators of a program and how each of them is split. */
export interface SplitProgram {
  readonly graph: Pick<Graph, "operators" | "tensors">;
  /** Tensors of operators without one are left out. */
  readonly planOf: (operator: OperatorId) => OperatorPlan | undefined;
  readonly mesh: DeviceMesh;
  /** Results that leave the program. */
  readonly results: ReadonlySet<Tensor["id"]>;
  /** Parameters that `graph.multiref` is called for: they are whole, and have adapters too. */
  readonly wholeParameters?: ReadonlySet<Tensor["id"]>;
}

const floats: ReadonlySet<string> = new Set(["f64", "f32", "f16", "bf16"]);

/**
 * Between which layouts nnScaler makes an adapter, in program order of the readers, results last
 * (dimops.md §6): every reader of a tensor has its own, as after `graph.multiref`. Parameters have
 * none: they are stored as they are read.
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
 * Operands as nnScaler's graph has its tensors: those with one reader where they are made or first
 * read, then aliases, which `graph.multiref` makes later: of parameters, and of those with several.
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
 * The gradient of an operand as the pieces of an operator make it: chunks as they read the operand,
 * and shares of the value over every part of the mesh that cuts another axis (dimops.md §3).
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
