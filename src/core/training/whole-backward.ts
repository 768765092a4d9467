import { parseAnnotation } from "#core/dimops";
import {
  gradientAnnotation,
  type Operand,
  type Operator,
  operatorId,
  type TensorId,
} from "#core/ir";
import { isFloat } from "#core/ir/types";
import type { Gradients } from "./gradients.ts";
import { tensorsWithGradient } from "./tensors-with-gradient.ts";
import { leftLayout, type TrainingGraphBuilder } from "./training-graph-builder.ts";

/**
 * Backward pass as cost models count it (planner-plain.md §9): one operator per operand with a
 * gradient, split as its forward operator. It wants the result's gradient in the layout in which
 * the operator produces the result, and reads operands in their forward layouts. The operand's
 * gradient stays partial over the axes that cut identifiers which the operand lacks.
 */
export class WholeBackward {
  readonly diagnostics = [];
  private readonly draft: TrainingGraphBuilder;
  private readonly gradients: Gradients;
  private readonly needed: ReadonlySet<TensorId>;
  private readonly read: (tensor: TensorId) => TensorId;

  /** @param read the backward pass' tensor for a forward one, which may be computed again */
  constructor(
    draft: TrainingGraphBuilder,
    gradients: Gradients,
    read = (tensor: TensorId): TensorId => tensor,
  ) {
    this.draft = draft;
    this.gradients = gradients;
    this.read = read;
    this.needed = tensorsWithGradient(draft.graph);
  }

  /** Adds the gradients of an operator's operands, if one of its results has a gradient. */
  pass(operator: Operator): void {
    const results = operator.outputs.filter(({ tensor }) => this.gradients.has(tensor));
    if (results.length === 0) return;
    const wanted = operator.inputs.filter(({ tensor }) => this.needed.has(tensor));
    if (wanted.length === 0) return;
    const given = results.map((result) => ({ ...result, tensor: this.gradientOf(result) }));
    for (const target of wanted) this.contribute(operator, target, given);
  }

  /**
   * Whole gradient of a result, first in the layout in which the text places the result, if it
   * does.
   */
  private gradientOf({ tensor }: Operand): TensorId {
    const { tensor: total } = this.gradients.total(tensor);
    const placed = this.draft.placements.get(tensor);
    if (placed !== undefined) this.draft.placements.set(total, placed);
    return total;
  }

  private contribute(forward: Operator, target: Operand, given: readonly Operand[]): void {
    const like = this.draft.tensorOf(target.tensor);
    const role = "gradient";
    const made = this.draft.addTensor(`${like.name}.grad`, like, { role, gradientOf: like.id });
    const isMoved = ({ tensor }: Operand) => isFloat(this.draft.tensorOf(tensor).dtype);
    const kept = forward.inputs
      .filter((each) => forward.passesBack !== "moves-elements" || !isMoved(each))
      .map((each) => ({ ...each, tensor: this.read(each.tensor) }));
    const operator = backwardOf(forward, target, [...given, ...kept], made.id);
    const own = this.draft.plans.get(forward.id);
    const plan = own && {
      strategy: { cuts: own.strategy.cuts, carry: [] },
      mesh: own.mesh,
      status: "inferred" as const,
    };
    this.draft.add(operator, plan);
    const [output] = operator.outputs;
    const layout = plan && output && leftLayout(operator, output, plan);
    this.gradients.contribute(target.tensor, { tensor: made.id, layout });
  }
}

function backwardOf(
  forward: Operator,
  target: Operand,
  inputs: readonly Operand[],
  made: TensorId,
): Operator {
  const reductions = new Map(forward.axes.map(({ name, reduction }) => [name, reduction]));
  const text = gradientAnnotation(inputs, target, (name) => reductions.get(name) ?? "");
  const annotation = parseAnnotation(text);
  const kept = new Set(target.dims.flatMap(({ identifiers }) => identifiers));
  const { combine: _, points: __, passage: ___, entry: ____, ...like } = forward;
  return {
    ...like,
    id: operatorId(made),
    name: made,
    call: `${forward.op}.backward`,
    annotation: annotation.ok ? annotation.value : forward.annotation,
    axes: forward.axes.map((axis) => {
      const isSummed = axis.reduction !== "^" && !kept.has(axis.name);
      return { ...axis, reduction: isSummed ? "+" : axis.reduction === "^" ? "^" : "" };
    }),
    inputs,
    outputs: [{ ...target, tensor: made }],
    linear: [],
    reducesInside: false,
    of: forward.id,
    phase: "backward",
  };
}
