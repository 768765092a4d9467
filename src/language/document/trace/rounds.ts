import { liftedCalls } from "../edit/lift-calls.ts";
import type { OperatorCall } from "./operator-call.ts";
import type { Size } from "./size.ts";
import type { Trace } from "./trace.ts";
import type { TracedOperator, TracedTensor } from "./traced.ts";
import { resultOf, tracedFrom } from "./traced-call.ts";

/** The operator that gathers what all rounds have made. */
const gathering = "expert_combine";

/**
 * The rounds of a loop that are written down as one. Inside, tensors of a round have the shapes that
 * the program sees; in the end each gets the rounds as its first dim, and so do the operators that
 * read it.
 */
export class Rounds {
  readonly size: number;
  /** What had been made before the first round. */
  private readonly from: { tensors: number; operators: number };
  /** By what stands for it in a round, the tensor of all rounds. */
  private readonly wholes = new Map<TracedTensor, TracedTensor>();
  private readonly own = new Set<TracedTensor>();

  constructor(size: number, { tensors, operators }: Trace) {
    this.size = size;
    this.from = { tensors: tensors.length, operators: operators.length };
  }

  /** The slice of a tensor, whose first dim is the rounds, that a round reads. */
  inRound(whole: TracedTensor): TracedTensor {
    const { shape = [] } = whole;
    // It has a name, so that no other is given to it: it is drawn as the tensor of all rounds.
    const name = { text: "", frames: [] };
    const one: TracedTensor = { ...whole, name, shape: shape.slice(1) };
    this.wholes.set(one, whole);
    this.own.add(one);
    return one;
  }

  /** The tensor of all rounds, of what stands for it in one; any other is itself. */
  wholeOf(tensor: TracedTensor): TracedTensor {
    return this.wholes.get(tensor) ?? tensor;
  }

  /** Whether each round has a tensor of its own. */
  has(tensor: TracedTensor): boolean {
    return this.own.has(tensor);
  }

  /** What an operator makes in a round is the round's own where something that it reads is. */
  note({ entry, inputs, outputs }: TracedOperator): void {
    if (entry === gathering) return;
    if (inputs.some((each) => each.kind === "tensor" && this.own.has(each)))
      for (const output of outputs) this.own.add(output);
  }

  /** Takes back an operator that nothing reads, with what it made. */
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

  /** Takes back all of the round. */
  forget({ tensors, operators }: Trace): void {
    tensors.splice(this.from.tensors);
    operators.splice(this.from.operators);
  }

  /**
   * Writes the one round down as all of them.
   *
   * @returns the tensors of which each round has its own
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

  /** An operator in front of another one that makes an operand as that one wants it. */
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
