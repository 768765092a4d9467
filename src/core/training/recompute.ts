import {
  callOf,
  entryOf,
  type Operand,
  type Operator,
  operatorId,
  type TensorId,
  tensorId,
} from "#core/ir";
import type { Training } from "./training.ts";
import type { TrainingGraphBuilder } from "./training-graph-builder.ts";

/**
 * Forward results as the backward pass reads them: kept, or computed again just before their first
 * reader there, from what is kept (planner.md §6.5).
 */
export class Saved {
  private readonly draft: TrainingGraphBuilder;
  private readonly recompute: Training["recompute"];
  private readonly copies = new Map<TensorId, TensorId>();

  constructor(draft: TrainingGraphBuilder, recompute: Training["recompute"]) {
    this.draft = draft;
    this.recompute = recompute;
  }

  /** The tensor that stands for a forward one in the backward pass. */
  read(tensor: TensorId): TensorId {
    const known = this.copies.get(tensor);
    if (known !== undefined) return known;
    const maker = this.draft.makerOf(tensor);
    if (maker === undefined || !this.recompute.has(maker.id)) return tensor;
    this.runAgain(maker, true);
    return this.copies.get(tensor) ?? tensor;
  }

  /** Runs operators again one after the other, also those that the backward pass needs nothing of. */
  runWhole(operators: readonly Operator[]): void {
    for (const operator of operators) {
      const [first] = operator.outputs;
      if (this.recompute.has(operator.id)) this.read(first?.tensor ?? tensorId(""));
      else this.runAgain(operator, false);
    }
  }

  /**
   * Runs an operator again that keeps a mask or statistics for its backward pass: they are not kept
   * either, though its result may not be read.
   */
  runForKept(operator: Operator): void {
    const keeps = operator.entry === undefined ? undefined : entryOf(operator.entry)?.keeps;
    const [first] = operator.outputs;
    if (!this.recompute.has(operator.id) || keeps === undefined || first === undefined) return;
    const call = callOf(operator, (tensor) => this.draft.tensorOf(tensor).shape);
    const kept = keeps(call, new Set(call.inputs.keys()));
    const isAlone = kept.some(({ kind }) => kind === "beside" || kind === "statistics");
    if (isAlone) this.read(first.tensor);
  }

  /** @param isRead whether the backward pass reads the copies in place of what was kept */
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
