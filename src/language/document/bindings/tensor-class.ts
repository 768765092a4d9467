// Tensor and parameter classes: instance checks and methods.

import type { HostFunction, Value } from "#language/python";
import type { TensorCalls } from "./tensor-calls.ts";
import { hostFunction, none } from "./values/values.ts";

/** A class as a value, without its constructor call. */
type ClassWord = Omit<HostFunction, "call">;

type Tensors = Pick<TensorCalls, "tensorOf" | "isArray" | "isScalar" | "isParameter">;

/**
 * Tensor class: `isinstance(x, Tensor)`, `Tensor.softmax(x, -1)`.
 *
 * @param dtype data type of all instances, for classes such as `FloatTensor`
 */
export function tensorClass(tensors: Tensors, name: string, dtype?: string): ClassWord {
  const isInstance = (value: Value) => {
    const isOther = tensors.isScalar(value) || tensors.isArray(value);
    const tensor = isOther ? undefined : tensors.tensorOf(value);
    return tensor !== undefined && (dtype === undefined || tensor.dtype === dtype);
  };
  return { kind: "host-function", name, isInstance, member: methodOf };
}

/** The class of parameters. */
export function parameterClass(tensors: Tensors, name: string): ClassWord {
  const isInstance = (value: Value) => value.kind === "host" && tensors.isParameter(value);
  return { kind: "host-function", name, isInstance, member: methodOf };
}

/** Unbound method of the class: its first argument is the tensor. */
function methodOf(name: string): Value | undefined {
  if (name.startsWith("__")) return undefined;
  return hostFunction(name, ([self, ...args], context, span) => {
    if (self === undefined) return none;
    return context.call(context.getAttribute(self.value, name, span), args, span);
  });
}
