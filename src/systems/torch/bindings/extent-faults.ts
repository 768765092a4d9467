// What PyTorch 2.13 refuses of numbers that reach past what they count: classes, steps and windows.

import { integerOf, itemsOf } from "#language/document/bindings/values";
import type { Value } from "#language/python";
import type { CallFault, Check } from "./call-fault.ts";

/** Classes that are numbers of the text, beside how many there are said to be. */
const encoded: Check = (call) => {
  const given = call.tensor("tensor");
  const type = given?.tensor;
  if (type !== undefined && type.isTypeAssumed !== true && /^(?:i32|i16|i8|u8)$/u.test(type.dtype))
    return ["RuntimeError", "one_hot is only applicable to index tensor of type LongTensor."];
  const places = given?.elements() ?? [];
  if (places.some((each) => each < 0))
    return ["RuntimeError", "Class values must be non-negative."];
  const classes = integerOf(call.value("num_classes")) ?? -1;
  const isOutside = classes !== -1 && places.some((each) => each >= classes);
  return isOutside ? ["RuntimeError", "Class values must be smaller than num_classes."] : undefined;
};

/** Sequences are no longer than what there is of them. */
const timed: Check = (call) => {
  const steps = call.tensor("log_probs")?.shape?.[0];
  const lengths = call.tensor("input_lengths")?.elements();
  const longest = lengths?.find((each) => steps !== undefined && each > steps);
  if (longest === undefined) return undefined;
  const message = `Expected input_lengths to have value at most ${steps}, but got value ${longest}`;
  return ["RuntimeError", message];
};

/** Why windows cannot be padded so far: by more than half of one. */
export function windowsFault(of: (parameter: string) => Value | undefined): CallFault | undefined {
  const [sizes, paddings, dilations] = ["kernel_size", "padding", "dilation"].map((each) => {
    const value = of(each);
    return itemsOf(value)?.map(integerOf) ?? [integerOf(value)];
  });
  for (const at of [0, 1, 2]) {
    const [size, padding] = [sizes, paddings].map((each) => each?.[each.length === 1 ? 0 : at]);
    const dilation = dilations?.[dilations.length === 1 ? 0 : at] ?? 1;
    if (size === undefined || padding === undefined) continue;
    if (padding <= Math.floor((dilation * (size - 1) + 1) / 2)) continue;
    const message = `pad should be at most half of effective kernel size, but got pad=${padding}, kernel_size=${size} and dilation=${dilation}`;
    return ["RuntimeError", message];
  }
  return undefined;
}

/** Checks of functions by their names. */
export const extentChecks: Readonly<Record<string, Check>> = {
  one_hot: encoded,
  ctc_loss: timed,
  max_pool2d: ({ value }) => windowsFault(value),
  avg_pool2d: ({ value }) => windowsFault(value),
};
