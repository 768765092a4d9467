// Methods of tensors that change the data type.

import type { Span } from "#core/diagnostics";
import { library, parseDType } from "#core/ir";
import type { Argument, Context, HostObject, Value } from "#language/python";
import { isBoolean } from "./boolean-tensors.ts";
import type { TensorCalls } from "./tensor-calls.ts";
import { text, textOf } from "./values.ts";

/** Methods that change the data type, by the type. */
export const casts: Readonly<Record<string, string>> = {
  float: "float32",
  half: "float16",
  bfloat16: "bfloat16",
  double: "float64",
  long: "int64",
  int: "int32",
  bool: "bool",
};

/** A cast gives another data type; one to a device, or to the type that it has, gives the tensor. */
export function castTo(
  words: TensorCalls,
  self: HostObject,
  dtypeText: string | undefined,
  context: Context,
  span: Span,
): Value {
  const dtype = dtypeText === undefined ? undefined : parseDType(dtypeText);
  const entry = library.get("cast");
  const tensor = words.tensorOf(self);
  if (dtype === undefined || dtypeText === undefined || entry === undefined) return self;
  if (tensor?.dtype === dtype) return self;
  const isFloat = /^(f|bf)/.test(tensor?.dtype ?? "f32");
  const isTruth = tensor !== undefined && isBoolean(tensor);
  if (isFloat && !isTruth && !/^(f|bf)/.test(dtype))
    words.refuse(`it casts to ${dtypeText}`, context, span);
  const style = { op: "to", stem: "cast", reducesInside: false };
  const args = [
    { value: self, span },
    { name: "dtype", value: text(dtypeText), span },
  ];
  const result = words.call(entry, style, args, context, span);
  const made = words.tensorOf(result);
  if (made !== undefined) Object.assign(made, { dtype, dtypeText });
  return result;
}

export function dtypeIn(args: readonly Argument[]): string | undefined {
  return args
    .map(({ value }) => textOf(value))
    .find((word) => word !== undefined && parseDType(word));
}
