import type { TracedTensor } from "#language/document/trace";
import type { Value } from "#language/python";

/**
 * Lengths that are known only at run time, as numbers of the program: `x.shape[1]`, where `x` is
 * fed as a tensor with such lengths. Each is read as an assumed length that fits, and is recognised
 * wherever the value is passed on unchanged.
 */
export class DynamicLengths {
  private readonly values = new WeakSet<Value>();

  /** The shape of a tensor that has such lengths; `undefined` for any other. */
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

/** The dims of such lengths: of an operator's result those of its first input, where both have one shape. */
function dynamicDimsOf(tensor: TracedTensor): ReadonlySet<number> {
  let source = tensor;
  for (let made = source.producer; made !== undefined; made = source.producer) {
    const [first] = made.inputs;
    if (first?.kind !== "tensor" || first.shape?.join() !== source.shape?.join()) break;
    source = first;
  }
  return new Set(source.dynamicDims ?? []);
}
