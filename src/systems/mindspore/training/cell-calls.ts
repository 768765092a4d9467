import type { TensorBindings } from "#language/document/bindings";
import type { TracedTensor } from "#language/document/trace";
import type { Argument, Value } from "#language/python";

interface Call {
  readonly cell: Value;
  readonly inputs: readonly TracedTensor[];
  readonly result: Value;
}

/**
 * Records the calls of Cells. MindSpore computes a net only once if the program calls and
 * differentiates it on the same tensors, so the second call returns the first result.
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

  /** The result of a Cell's last call with these tensors; `undefined` if there was none. */
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
