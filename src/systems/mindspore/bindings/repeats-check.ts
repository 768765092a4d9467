import { bindArguments, integerOf, itemsOf } from "#language/document/bindings/values";
import { knownSize, type TracedOperator, type TracedTensor } from "#language/document/trace";
import type { Argument, Value } from "#language/python";
import { meetLength } from "./met-lengths.ts";

/** The exception with which MindSpore 2.10 refuses a call. */
interface Fault {
  readonly kind: "ValueError" | "RuntimeError";
  readonly message: string;
}

/**
 * The fault of `repeats` and `dim` in `RepeatInterleaveTensor`, by the checks of MindSpore's shape
 * inference: `dim` must be a dim of the input, and `repeats` must have one number or one per
 * element of that dim. A length that is known at run time only is as many elements as there are
 * repeats.
 */
export function repeatsFault(
  args: readonly Argument[],
  tensorOf: (value: Value | undefined) => TracedTensor | undefined,
  before: readonly TracedOperator[],
): Fault | undefined {
  const { bound } = bindArguments(["input", "repeats", "dim", "output_size"], args);
  const tensor = tensorOf(bound.get("input")?.value);
  const shape = tensor?.shape;
  const dim = integerOf(bound.get("dim")?.value);
  const repeats = bound.get("repeats")?.value;
  if (shape === undefined || dim === undefined) return undefined;
  if (dim < -shape.length || dim >= shape.length) {
    const message = `the dim of RepeatInterleaveTensor must be in [${-shape.length},${shape.length - 1}], but it is ${dim}`;
    return { kind: "ValueError", message };
  }
  const count = (repeats && itemsOf(repeats))?.length ?? 1;
  const length = knownSize(shape.at(dim) ?? 1);
  if (count === 1 || length === undefined || count === length) return undefined;
  if (tensor !== undefined && meetLength(tensor, dim, count, before)) return undefined;
  const message = `RepeatInterleaveTensor has ${count} repeats for a dim of ${length} elements`;
  return { kind: "RuntimeError", message };
}
