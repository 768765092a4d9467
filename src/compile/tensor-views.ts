import type { Graph, Operator, OperatorId, Tensor, TensorId } from "#core/ir";
import { sameBlocks } from "#core/mesh";
import type { Plan } from "#core/plan";
import type { LocalStep, SpmdProgram, Value, ValueId } from "#core/program";
import type { GivenBy, TensorRead, TensorView } from "./compiled.ts";

/** Layouts of every tensor, and those in which inputs and parameters are read. */
export function tensorViews(graph: Graph, plan: Plan, program: SpmdProgram): readonly TensorView[] {
  const values = new Map<ValueId, Value>();
  for (const value of program.values) values.set(value.id, value);
  const held = heldBy(graph, program, values);
  const given = givenTensors(graph, plan);
  const views: TensorView[] = [];
  for (const tensor of graph.tensors) {
    const id = program.made.get(tensor.id);
    const made = id === undefined ? undefined : values.get(id);
    if (made === undefined) continue;
    const view =
      tensor.producer === undefined
        ? leafView(tensor, made, held.get(tensor.id), plan)
        : resultView(tensor, made, tensor.producer, plan);
    const unverified = given.get(tensor.id);
    views.push(unverified === undefined ? view : { ...view, unverified });
  }
  return views;
}

/** Values of an input or parameter: that of its first reader, and the others. */
interface Held {
  first: Value | undefined;
  readonly reads: TensorRead[];
}

/** The view of a result. If the text places it, its layout as made is a second state. */
function resultView(tensor: Tensor, made: Value, maker: OperatorId, plan: Plan): TensorView {
  const { layout, held } = made;
  const producer = plan.operators.get(maker);
  const placement = plan.placements.get(tensor.id);
  const span = placement?.span ?? producer?.span;
  const view: TensorView = {
    tensor: tensor.id,
    layout,
    ...(held !== undefined && { held }),
    status: producer?.status ?? "assumed",
    ...(span !== undefined && { span }),
  };
  if (placement?.status !== "set") return view;
  const isThere = held === undefined && sameBlocks(layout, placement.layout, tensor.shape);
  const asMade = { operator: maker, operand: "made", reader: tensor.name, layout } as const;
  const reads = [{ ...asMade, ...(held !== undefined && { held }) }];
  return { ...view, placed: placement.layout, status: "set", ...(!isThere && { reads }) };
}

/** The view of an input or parameter, in the layout of its first consumer. */
function leafView(tensor: Tensor, made: Value, reads: Held | undefined, plan: Plan): TensorView {
  const { layout, held } = reads?.first ?? made;
  const isElsewhere = layout !== made.layout && !sameBlocks(layout, made.layout, tensor.shape);
  const moved = isElsewhere || held !== made.held;
  const { status = "assumed", span } = plan.placements.get(tensor.id) ?? {};
  return {
    tensor: tensor.id,
    layout: moved ? layout : made.layout,
    ...(held !== undefined && { held }),
    ...(moved && { atRest: made.layout }),
    ...(reads !== undefined && reads.reads.length > 0 && { reads: reads.reads }),
    status,
    ...(span !== undefined && { span }),
  };
}

/** Values of inputs and parameters that operators read, in program order. */
function heldBy(
  graph: Graph,
  program: SpmdProgram,
  values: ReadonlyMap<ValueId, Value>,
): ReadonlyMap<TensorId, Held> {
  const all = new Map<TensorId, Held>();
  for (const { id, producer } of graph.tensors) {
    if (producer === undefined) all.set(id, { first: undefined, reads: [] });
  }
  const operators = new Map<OperatorId, Operator>();
  for (const operator of graph.operators) operators.set(operator.id, operator);
  for (const { steps } of program.stages) {
    for (const step of steps) {
      if (step.kind === "local") note(step, { program, values, all, operators });
    }
  }
  return all;
}

interface Noting {
  readonly program: SpmdProgram;
  readonly values: ReadonlyMap<ValueId, Value>;
  readonly all: ReadonlyMap<TensorId, Held>;
  readonly operators: ReadonlyMap<OperatorId, Operator>;
}

function note(step: LocalStep, { program, values, all, operators }: Noting): void {
  for (const [operand, id] of step.inputs.entries()) {
    const value = values.get(id);
    const held = value && all.get(value.tensor);
    if (value === undefined || held === undefined) continue;
    const isFirst = held.first === undefined;
    held.first ??= value;
    // A redistributed value never has the same blocks; operators of a training step follow their
    // forward operator.
    const isOther = id !== program.made.get(value.tensor);
    if (!isOther || (step.phase !== "forward" && !isFirst)) continue;
    const operator = operators.get(step.operator);
    if (operator !== undefined) held.reads.push(readOf(operator, operand, value));
  }
}

function readOf(operator: Operator, operand: number, { tensor, layout, held }: Value): TensorRead {
  const times = operator.inputs.filter((each) => each.tensor === tensor).length;
  return {
    operator: operator.id,
    operand,
    reader: times > 1 ? `${operator.name} (operand ${operand + 1})` : operator.name,
    layout,
    ...(held !== undefined && { held }),
  };
}

/**
 * Tensors whose blocks may differ from the unsharded program's, since an operator runs unverified
 * (`unverified`): its results, and all tensors computed from them.
 */
function givenTensors(graph: Graph, { operators }: Plan): ReadonlyMap<TensorId, GivenBy> {
  const given = new Map<TensorId, GivenBy>();
  for (const { id, inputs, outputs } of graph.operators) {
    const rule = operators.get(id)?.unverified?.rule;
    if (rule === undefined && given.size === 0) continue;
    const before = inputs.map(({ tensor }) => given.get(tensor)).find((by) => by !== undefined);
    for (const { tensor } of outputs) {
      if (rule !== undefined) given.set(tensor, { rule, tensor });
      else if (before !== undefined) given.set(tensor, before);
    }
  }
  return given;
}
