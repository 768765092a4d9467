// In-place operators that PyTorch 2.13 refuses, and tensors that it refuses where one number is
// wanted.

import { broadcastShape, product } from "#core/arithmetic";
import type { DType } from "#core/ir";
import { isFloat } from "#core/ir/types";
import { fieldOf } from "#core/records";
import type { TensorAccess } from "#language/document/bindings";
import type { TracedTensor } from "#language/document/trace";
import type { Argument, Value } from "#language/python";
import type { CallFault, Given } from "./call-fault.ts";

/** Operators in place by the names of their methods, and by Python's signs. */
const inPlace = /^(?:add|sub|subtract|mul|multiply|div|divide|true_divide|pow|remainder|copy)_$/u;
const dividing = /^(?:div|divide|true_divide)_$/u;

/** The names that PyTorch has for data types in what it raises. */
const titles: Readonly<Partial<Record<DType, string>>> = {
  ...{ f64: "Double", f32: "Float", f16: "Half", bf16: "BFloat16", i64: "Long", i32: "Int" },
  ...{ i16: "Short", i8: "Char", u8: "Byte", bool: "Bool" },
};

/** Why an operator cannot write its result into a tensor. */
export function inPlaceFault(
  name: string,
  args: readonly Argument[],
  self: Given | undefined,
  other: Given | undefined,
): CallFault | undefined {
  if (!inPlace.test(name) || self === undefined) return undefined;
  if (isExpanded(self.tensor))
    return [
      "RuntimeError",
      "unsupported operation: more than one element of the written-to tensor refers to a single memory location. Please clone() the tensor before performing the operation.",
    ];
  const wide = other?.shape;
  if (self.shape !== undefined && wide !== undefined) {
    const all = broadcastShape([self.shape, wide]);
    if (all === undefined && name === "copy_") return ["RuntimeError", misfit(self.shape, wide)];
    if (all !== undefined && all.join() !== self.shape.join()) {
      const message = `output with shape [${self.shape.join(", ")}] doesn't match the broadcast shape [${all.join(", ")}]`;
      return ["RuntimeError", message];
    }
  }
  if (name === "copy_" || args.some((each) => each.name !== undefined)) return undefined;
  return typeFault(name, args[0], self.tensor, other?.tensor);
}

/** What values of Python are called that no element of a tensor is. */
const strangers: Readonly<Partial<Record<Value["kind"], string>>> = {
  ...{
    list: "list",
    tuple: "tuple",
    dict: "dict",
    set: "set",
    str: "str",
    none: "NoneType",
    range: "range",
  },
  ...{ class: "type", function: "function", module: "module", ellipsis: "ellipsis" },
};

/** Why a value of Python cannot be written into a tensor: a number or a tensor can. */
export function assignedFault(
  name: string,
  [, given]: readonly Argument[],
  words: Pick<TensorAccess["words"], "isArray" | "tensorOf" | "types">,
  self: Value,
): CallFault | undefined {
  const own = words.tensorOf(self);
  const value = given?.value;
  if (name !== "__setitem__" || own === undefined || value === undefined) return undefined;
  // Arrays of NumPy take rows of numbers.
  if (words.isArray(self) || words.types.sayRefused === undefined) return undefined;
  const other = words.tensorOf(value);
  const isArray = other !== undefined && words.isArray(value) && (other.shape?.length ?? 0) > 0;
  const stranger = isArray ? "numpy.ndarray" : other === undefined && strangerOf(value);
  if (!stranger) return undefined;
  const type = fieldOf(titles, own.dtype) ?? own.dtype;
  return ["TypeError", `can't assign a ${stranger} to a torch.${type}Tensor`];
}

function strangerOf(value: Value): string | undefined {
  if (value.kind === "instance") return value.type.name;
  return fieldOf(strangers, value.kind);
}

/** Whether several elements are one in memory. */
function isExpanded({ producer, shape }: TracedTensor): boolean {
  const [source] = producer?.op === "expand" ? producer.inputs : [];
  if (source?.kind !== "tensor" || source.shape === undefined || shape === undefined) return false;
  const sizes = [...shape, ...source.shape];
  if (!sizes.every((size) => typeof size === "number")) return false;
  return product(shape.map(Number)) > product(source.shape.map(Number));
}

/** Where two shapes do not fit, counted from the last dim. */
function misfit(a: readonly number[], b: readonly number[]): string {
  const skipped = a.length - b.length;
  const dim = a.findIndex((size, at) => {
    const other = b[at - skipped] ?? 1;
    return size !== other && size !== 1 && other !== 1;
  });
  return `The size of tensor a (${a[dim]}) must match the size of tensor b (${b[dim - skipped]}) at non-singleton dimension ${dim}`;
}

function typeFault(
  name: string,
  argument: Argument | undefined,
  self: TracedTensor,
  other: TracedTensor | undefined,
): CallFault | undefined {
  const isOpen = [self, other].some((each) => each?.isTypeAssumed === true || each?.isUnknown);
  if (isOpen || isFloat(self.dtype)) return undefined;
  const isOfFloats = other === undefined ? argument?.value.kind === "float" : isFloat(other.dtype);
  if (!isOfFloats && !dividing.test(name)) return undefined;
  const [from, to] = [
    other !== undefined && isFloat(other.dtype) ? other.dtype : "f32",
    self.dtype,
  ];
  const [given, wanted] = [fieldOf(titles, from) ?? from, fieldOf(titles, to) ?? to];
  const message = `result type ${given} can't be cast to the desired output type ${wanted}`;
  return ["RuntimeError", message];
}

/** Why a tensor is no condition, or no loss: it has several elements. */
export function severalFault(
  name: string,
  args: readonly Argument[],
  self: Given | undefined,
): CallFault | undefined {
  const count = self?.shape && product(self.shape);
  if (count === undefined || count === 1) return undefined;
  if (name === "__bool__") {
    const what = count === 0 ? "no values" : "more than one value";
    return ["RuntimeError", `Boolean value of Tensor with ${what} is ambiguous`];
  }
  const isAlone = args.every((each) => each.name !== undefined && each.name !== "gradient");
  if (name !== "backward" || !isAlone) return undefined;
  return ["RuntimeError", "grad can be implicitly created only for scalar outputs"];
}
