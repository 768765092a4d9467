// Methods of tensors that change the data type.

import type { Span } from "#core/diagnostics";
import { type DType, library } from "#core/ir";
import { isFloat } from "#core/ir/types";
import { fieldOf } from "#core/records";
import type { Argument, Context, HostObject, Value } from "#language/python";
import { isBoolean } from "../boolean-tensors.ts";
import type { TensorCalls } from "../tensor-calls.ts";
import { text, textOf } from "../values/values.ts";
import { dtypeOf, longDType, typeSaid } from "./dtype-values.ts";

/** Data type that each cast method converts to. */
export const casts: Readonly<Record<string, string>> = {
  float: "float32",
  half: "float16",
  bfloat16: "bfloat16",
  double: "float64",
  long: "int64",
  int: "int32",
  short: "int16",
  char: "int8",
  byte: "uint8",
  bool: "bool",
};

/**
 * Casts a tensor to a data type. Returns the tensor itself without a type (a move to a device) or
 * when it already has it.
 */
export function castTo(
  words: TensorCalls,
  self: HostObject,
  asked: { readonly dtype: DType; readonly dtypeText: string } | undefined,
  context: Context,
  span: Span,
): Value {
  const entry = library.get("cast");
  const tensor = words.tensorOf(self);
  if (asked === undefined || entry === undefined) return self;
  const { dtype, dtypeText } = asked;
  if (tensor?.dtype === dtype && tensor.isTypeAssumed !== true) return self;
  if (tensor?.dtype === dtype && tensor.producer === undefined) return self;
  const isTruth = tensor !== undefined && isBoolean(tensor);
  if (isFloat(tensor?.dtype ?? "f32") && !isTruth && !isFloat(dtype))
    words.refuseNumbers(`it casts to ${dtypeText}`, context, span);
  const style = { op: "to", stem: "cast", reducesInside: false };
  const args = [
    { value: self, span },
    { name: "dtype", value: text(dtypeText), span },
  ];
  const result = words.call(entry, style, args, context, span);
  const made = words.tensorOf(result);
  if (made !== undefined) Object.assign(made, { dtype, dtypeText, isTypeAssumed: false });
  return result;
}

/**
 * Data type among the arguments of a cast: a data type, a string, or a tensor that has it.
 * `undefined` when there is none.
 */
export function typeIn(words: TensorCalls, args: readonly Argument[]): ReturnType<typeof typeSaid> {
  for (const { name, value } of args) {
    if (name === "device") continue;
    const said = typeSaid(value) ?? typeOfTensor(words, value) ?? saidByClass(value);
    if (said !== undefined) return said;
  }
  return undefined;
}

function typeOfTensor(words: TensorCalls, value: Value): ReturnType<typeof typeSaid> {
  const tensor = words.tensorOf(value);
  return tensor && { dtype: tensor.dtype, dtypeText: tensor.dtypeText };
}

function saidByClass(value: Value): ReturnType<typeof typeSaid> {
  const dtype = typeOfTensorClass(value);
  return dtype && { dtype, dtypeText: longDType(dtype) };
}

/**
 * Data type that the name of a tensor class begins with: `LongTensor`. `undefined` for other
 * values.
 */
export function typeOfTensorClass(value: Value): DType | undefined {
  const name = value.kind === "host-function" ? value.name : textOf(value);
  const written = /^(?:[a-z]+\.)*([A-Z]\w*)Tensor$/.exec(name ?? "")?.[1]?.toLowerCase();
  return written === undefined ? undefined : dtypeOf(text(fieldOf(casts, written) ?? ""));
}

/** Data type that a cast method converts to, by its name or its arguments. */
export function typeAsked(
  words: TensorCalls,
  method: string,
  args: readonly Argument[],
): ReturnType<typeof typeSaid> {
  if (words.types.areCheckedElsewhere) return undefined;
  const named = fieldOf(casts, method);
  return named === undefined ? typeIn(words, args) : typeSaid(text(named));
}
