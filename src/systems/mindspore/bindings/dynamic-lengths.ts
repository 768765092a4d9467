import type { TracedTensor } from "#language/document/trace";
import type { Value } from "#language/python";

/**
 * Lengths known only at run time, as integers of the program: `x.shape[1]`, where `x` is fed as a
 * tensor with such lengths. Each is an assumed length that fits, and is recognised by the identity
 * of its value.
 */
export class DynamicLengths {
  private readonly values = new WeakSet<Value>();

  /** The shape of a tensor with run-time lengths; `undefined` for any other tensor. */
  shapeOf(tensor: TracedTensor): Value | undefined {
    const { shape } = tensor;
    const dims = dynamicDimsOf(tensor);
    if (dims.size === 0 || shape === undefined) return undefined;
    if (!shape.every((size) => typeof size === "number")) return undefined;
    const items = shape.map((size, dim): Value => {
      const item: Value = { kind: "int", value: BigInt(size) };
      if (dims.has(dim)) this.values.add(item);
      return item;
    });
    return { kind: "tuple", items };
  }

  /** Whether a value is a run-time length. */
  has(value: Value): boolean {
    return this.values.has(value);
  }
}

/**
 * Dims with run-time lengths. An operator's result inherits those of its first input if both have
 * the same shape.
 */
function dynamicDimsOf(tensor: TracedTensor): ReadonlySet<number> {
  let source = tensor;
  for (let made = source.producer; made !== undefined; made = source.producer) {
    const [first] = made.inputs;
    if (first?.kind !== "tensor" || first.shape?.join() !== source.shape?.join()) break;
    source = first;
  }
  return new Set(source.dynamicDims ?? []);
}
