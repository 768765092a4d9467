import {
  type Operand,
  type Operator,
  type OperatorId,
  operatorId,
  type TensorId,
  tensorId,
} from "#core/ir";
import type { Training } from "./training.ts";
import type { TrainingGraphBuilder } from "./training-graph-builder.ts";

/**
 * Forward results for the backward pass: kept, or recomputed from kept values just before their
 * first reader there (planner.md §6.5).
 */
export class Saved {
  private readonly draft: TrainingGraphBuilder;
  private readonly recompute: Training["recompute"];
  private readonly handsOn: ReadonlySet<OperatorId>;
  private readonly ran = new Set<OperatorId>();
  private readonly copies = new Map<TensorId, TensorId>();

  constructor(
    draft: TrainingGraphBuilder,
    { recompute, handsOn = new Set() }: Pick<Training, "recompute" | "handsOn">,
  ) {
    this.draft = draft;
    this.recompute = recompute;
    this.handsOn = handsOn;
  }

  /** Tensor that the backward pass reads for a forward tensor: itself, or its recomputed copy. */
  read(tensor: TensorId): TensorId {
    const known = this.copies.get(tensor);
    if (known !== undefined) return known;
    const maker = this.draft.makerOf(tensor);
    if (maker === undefined || !this.recompute.has(maker.id)) return tensor;
    this.runAgain(maker, true);
    return this.copies.get(tensor) ?? tensor;
  }

  /**
   * Recomputes an operator if its backward pass needs a value that is not kept.
   *
   * @param needsOwn whether the backward pass needs a value that the operator itself computes
   */
  runFor(operator: Operator, needsOwn: boolean): void {
    const [first] = operator.outputs;
    if (!needsOwn || first === undefined) return;
    if (this.recompute.has(operator.id)) this.read(first.tensor);
    else if (this.handsOn.has(operator.id)) this.runOnce(operator);
  }

  /** Recomputes operators in order, even if the backward pass does not need their results. */
  runWhole(operators: readonly Operator[]): void {
    for (const operator of operators) {
      const [first] = operator.outputs;
      if (this.recompute.has(operator.id)) this.read(first?.tensor ?? tensorId(""));
      else this.runOnce(operator);
    }
  }

  /** Recomputes an operator for the memory that its kernel keeps, although its result was kept. */
  private runOnce(operator: Operator): void {
    if (this.ran.has(operator.id)) return;
    this.ran.add(operator.id);
    this.runAgain(operator, false);
  }

  /** @param isRead whether the backward pass reads the copies in place of kept results */
  private runAgain(maker: Operator, isRead: boolean): void {
    const inputs = maker.inputs.map((operand) => ({
      ...operand,
      tensor: this.read(operand.tensor),
    }));
    const outputs = maker.outputs.map((operand) => this.copyOf(operand, isRead));
    const name = outputs[0]?.tensor ?? maker.id;
    const copy = { ...maker, id: operatorId(name), name, inputs, outputs } as const;
    const plan = this.draft.plans.get(maker.id);
    this.draft.add({ ...copy, of: maker.id, phase: "recompute" }, plan);
  }

  private copyOf(operand: Operand, isRead: boolean): Operand {
    const like = this.draft.tensorOf(operand.tensor);
    const copy = this.draft.addTensor(`${like.name}.again`, like, {
      role: "activation",
      ...(like.castOf !== undefined && { castOf: like.castOf }),
    });
    if (isRead) this.copies.set(operand.tensor, copy.id);
    const placed = this.draft.placements.get(operand.tensor);
    if (placed !== undefined) this.draft.placements.set(copy.id, placed);
    return { ...operand, tensor: copy.id };
  }
}
