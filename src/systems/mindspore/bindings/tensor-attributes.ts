import type { TensorAccess } from "#language/document/bindings";
import { hostFunction, integer } from "#language/document/bindings/values";
import { knownSize } from "#language/document/trace";
import type { Value } from "#language/python";

/** Methods of MindSpore's tensors that give the tensor itself, as far as a graph is concerned, or the array of it. */
export function tensorAttribute({ words, self, name }: TensorAccess): Value | undefined {
  if (name === "asnumpy") return hostFunction(name, () => words.asArray(self));
  const isItself = name === "set_dtype" || name === "init_data";
  return isItself ? hostFunction(name, () => self) : undefined;
}

/**
 * The value of `x.size`, which in a text for MindSpore is the number of elements; `undefined` if a
 * length is unknown.
 */
export function elementCount({ tensor, name }: TensorAccess): Value | undefined {
  const sizes = tensor.shape?.map(knownSize);
  if (name !== "size" || sizes === undefined) return undefined;
  let count = 1;
  for (const size of sizes) {
    if (size === undefined) return undefined;
    count *= size;
  }
  return integer(count);
}
