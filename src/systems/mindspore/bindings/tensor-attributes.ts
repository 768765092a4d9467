import type { TensorAccess } from "#language/document/bindings";
import { hostFunction, integer } from "#language/document/bindings/values";
import { knownSize } from "#language/document/trace";
import type { Value } from "#language/python";

/**
 * Methods of MindSpore's tensors that return the tensor itself, as seen by the graph, or its array;
 * `undefined` for other names.
 */
export function tensorAttribute({ words, self, name }: TensorAccess): Value | undefined {
  if (name === "asnumpy") return hostFunction(name, () => words.asArray(self));
  const isItself = name === "set_dtype" || name === "init_data";
  return isItself ? hostFunction(name, () => self) : undefined;
}

/**
 * The value of `x.size`, the number of elements in a text for MindSpore; `undefined` if a length is
 * unknown.
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
