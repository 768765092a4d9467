import { liftedCalls } from "../edit/lift-calls.ts";
import type { OperatorCall } from "./operator-call.ts";
import type { Size } from "./size.ts";
import type { Trace } from "./trace.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";
import { resultOf, tracedFrom } from "./traced-call.ts";

/** Entry of the operator that gathers the results of all rounds. */
const gathering = "expert_combine";

/**
 * Rounds of a loop that are recorded as one. During the round, tensors have the shapes that the
 * program sees; at the end each round-specific tensor gets the rounds as leading dim, and so do the
 * operators that read it.
 */
export class Rounds {
  readonly size: number;
  /** Numbers of tensors and operators recorded before the first round. */
  private readonly from: { tensors: number; operators: number };
  /** Tensor of all rounds, by the tensor that replaces it in a round. */
  private readonly wholes = new Map<TracedTensor, TracedTensor>();
  private readonly own = new Set<TracedTensor>();

  constructor(size: number, { tensors, operators }: Trace) {
    this.size = size;
    this.from = { tensors: tensors.length, operators: operators.length };
  }

  /** Slice of a tensor with leading rounds dim, as a round reads it. */
  inRound(whole: TracedTensor): TracedTensor {
    const { shape = [] } = whole;
    // The empty name keeps other names off: the tensor of all rounds is drawn instead.
    const name = { text: "", frames: [] };
    const one: TracedTensor = { ...whole, name, shape: shape.slice(1) };
    this.wholes.set(one, whole);
    this.own.add(one);
    return one;
  }

  /** Tensor of all rounds for a slice of it; other tensors unchanged. */
  wholeOf(tensor: TracedTensor): TracedTensor {
    return this.wholes.get(tensor) ?? tensor;
  }

  /** Whether a tensor differs by round. */
  has(tensor: TracedTensor): boolean {
    return this.own.has(tensor);
  }

  /** Marks an operator's results as different by round when one of its inputs is. */
  note({ entry, inputs, outputs }: TracedOperator): void {
    if (entry === gathering) return;
    if (inputs.some((each) => each.kind === "tensor" && this.own.has(each)))
      for (const output of outputs) this.own.add(output);
  }

  /** Removes an unread operator with its results. */
  takeBack(operator: TracedOperator, { tensors, operators }: Trace): void {
    const isRead = operators.some(({ inputs }) =>
      inputs.some((each) => each.kind === "tensor" && operator.outputs.includes(each)),
    );
    const at = operators.indexOf(operator);
    if (isRead || at < 0) return;
    operators.splice(at, 1);
    if (at < this.from.operators) this.from.operators -= 1;
    for (const output of operator.outputs) {
      const place = tensors.indexOf(output);
      tensors.splice(place, 1);
      if (place < this.from.tensors) this.from.tensors -= 1;
    }
  }

  /** Drops everything recorded in the round. */
  forget({ tensors, operators }: Trace): void {
    tensors.splice(this.from.tensors);
    operators.splice(this.from.operators);
  }

  /**
   * Rewrites the recorded round as all rounds.
   *
   * @returns the tensors that differ by round
   */
  end(trace: Trace): ReadonlySet<TracedTensor> {
    const operators = trace.operators.splice(this.from.operators);
    const tensors = trace.tensors.splice(this.from.tensors);
    trace.tensors.push(...tensors.filter(({ producer }) => producer === undefined));
    for (const operator of operators) this.write(operator, trace);
    return this.own;
  }

  private write(operator: TracedOperator, trace: Trace): void {
    const isOwn = operator.inputs.map((each) => each.kind === "tensor" && this.own.has(each));
    if (!isOwn.includes(true)) {
      trace.operators.push(operator);
      trace.tensors.push(...operator.outputs);
      return;
    }
    const inputs = operator.inputs.map((each) =>
      each.kind === "tensor" ? this.wholeOf(each) : each,
    );
    const calls = liftedCalls({ ...operator, inputs }, isOwn, this.size, (call, shape) =>
      this.before(operator, { call, shape }, trace),
    );
    const outputs = operator.outputs;
    const traced = tracedFrom(calls, undefined, {
      outputs,
      frames: operator.frames,
      isFree: false,
      endsGradient: operator.endsGradient,
    });
    for (const output of outputs) {
      output.producer = traced;
      if (this.own.has(output)) output.shape = [this.size, ...(output.shape ?? [])];
    }
    trace.operators.push(traced);
    trace.tensors.push(...outputs);
  }

  /** Inserts an operator before another one that gives an operand the required shape. */
  private before(
    { frames }: TracedOperator,
    { call, shape }: { readonly call: OperatorCall; readonly shape: readonly Size[] },
    trace: Trace,
  ): TracedTensor {
    const outputs: TracedTensor[] = [];
    const traced = tracedFrom(call, undefined, { outputs, frames, isFree: false });
    const made = resultOf(traced, shape);
    outputs.push(made);
    trace.operators.push(traced);
    trace.tensors.push(made);
    return made;
  }
}
