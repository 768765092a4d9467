import type { TensorBindings } from "#language/document/bindings";
import type { TracedTensor } from "#language/document/trace";
import type { Argument, Value } from "#language/python";

interface Call {
  readonly cell: Value;
  readonly inputs: readonly TracedTensor[];
  readonly result: Value;
}

/**
 * The calls of Cells so far. MindSpore computes a net once that a program calls and differentiates
 * on the same tensors, so its second call is the first.
 */
export class CellCalls {
  private readonly calls: Call[] = [];
  private readonly tensors: TensorBindings;

  constructor(tensors: TensorBindings) {
    this.tensors = tensors;
  }

  note(cell: Value, args: readonly Argument[], result: Value): void {
    this.calls.push({ cell, inputs: this.inputsOf(args), result });
  }

  /** The result of a Cell's last call with these tensors. */
  known(cell: Value, args: readonly Argument[]): Value | undefined {
    const inputs = this.inputsOf(args);
    if (cell.kind !== "instance" || inputs.length !== args.length) return undefined;
    const isSame = (call: Call) =>
      call.cell === cell &&
      call.inputs.length === inputs.length &&
      call.inputs.every((each, at) => each === inputs[at]);
    return this.calls.findLast(isSame)?.result;
  }

  private inputsOf(args: readonly Argument[]): readonly TracedTensor[] {
    return args.flatMap(({ value }) => this.tensors.tensorOf(value) ?? []);
  }
}
