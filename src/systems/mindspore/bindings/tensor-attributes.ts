import type { TensorAccess } from "#language/document/bindings";
import { hostFunction } from "#language/document/bindings/values";
import type { Value } from "#language/python";

/** Methods of MindSpore's tensors that give the tensor itself, as far as a graph is concerned. */
export function tensorAttribute({ self, name }: TensorAccess): Value | undefined {
  const isItself = name === "set_dtype" || name === "init_data";
  return isItself ? hostFunction(name, () => self) : undefined;
}
