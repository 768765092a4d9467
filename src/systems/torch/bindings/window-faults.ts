// Windows that PyTorch 2.13 does not move over a tensor: of pools, convolutions and paddings.

import { integerOf, itemsOf, textOf } from "#language/document/bindings/values";
import { type Check, every } from "./call-fault.ts";
import { bounded, counted, notNegative, positive, valuesOf, whole } from "./ranges.ts";
import { oneOf } from "./value-faults.ts";

/** Windows are padded by no more than half of one. */
const halfPadded: Check = ({ value }) => {
  const [sizes, paddings, dilations] = ["kernel_size", "padding", "dilation"].map((parameter) =>
    valuesOf(value(parameter)).map(integerOf),
  );
  for (const at of [0, 1, 2]) {
    const [size, padding] = [sizes, paddings].map((each) => each?.[each.length === 1 ? 0 : at]);
    const dilation = dilations?.[dilations.length === 1 ? 0 : at] ?? 1;
    if (size === undefined || padding === undefined) continue;
    if (padding <= Math.floor((dilation * (size - 1) + 1) / 2)) continue;
    const message = `pad should be at most half of effective kernel size, but got pad=${padding}, kernel_size=${size} and dilation=${dilation}`;
    return ["RuntimeError", message];
  }
  return undefined;
};

/** Windows that move over a tensor. */
export const windows = every(
  counted("kernel_size", positive, "kernel size should be greater than zero, but got {}"),
  counted("stride", positive, "stride should be greater than zero, but got {}"),
  counted("dilation", positive, "dilation should be greater than zero, but got {}"),
  counted("padding", notNegative, "pad must be non-negative, but got pad: {}"),
);

export const pooled = every(windows, halfPadded);

export const divided = bounded(
  "divisor_override",
  (divisor) => divisor !== 0,
  "divisor must be not zero",
);

export const transposed = every(
  counted("stride", positive, "non-positive stride is not supported"),
  counted("padding", notNegative, "negative padding is not supported"),
  counted("output_padding", notNegative, "negative output_padding is not supported"),
  counted("dilation", positive, "dilation should be greater than zero"),
  bounded("groups", positive, "non-positive groups is not supported"),
);

/** A kernel of no elements, which no engine multiplies by. */
export const convolved = every(
  counted("kernel_size", positive, "could not create a primitive descriptor for the convolution"),
  ...["stride", "padding", "dilation"].map((parameter) => whole(parameter)),
);

/** A ring is no longer than what it is made of. */
export const wrapped: Check = (call) => {
  const mode = call.value("mode");
  if (mode?.kind !== "str" || mode.value !== "circular") return undefined;
  const shape = call.tensor("input")?.shape;
  const sides = itemsOf(call.value("pad"))?.map(integerOf) ?? [];
  const isTwice = sides.some(
    (side, at) => (side ?? 0) > (shape?.at(-1 - Math.floor(at / 2)) ?? Number.POSITIVE_INFINITY),
  );
  return isTwice
    ? ["RuntimeError", "Padding value causes wrapping around more than once."]
    : undefined;
};

const scaling = oneOf(
  "mode",
  "nearest linear bilinear bicubic trilinear lanczos area nearest-exact",
  "NotImplementedError",
);

/** An image is scaled along the dims behind its channels. */
const sized: Check = (call) => {
  const shape = call.tensor("input")?.shape;
  const [hasSize, hasScale] = [call.has("size"), call.has("scale_factor")];
  if (hasSize === hasScale)
    return [
      "ValueError",
      `${call.name}(): ${hasSize ? "only one" : "either one"} of size and scale_factor should be given`,
    ];
  const mode = textOf(call.value("mode")) ?? "nearest";
  if (call.has("align_corners") && ["nearest", "nearest-exact", "area"].includes(mode))
    return [
      "ValueError",
      "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear",
    ];
  if (shape === undefined) return undefined;
  if (shape.length < 3 || shape.length > 5)
    return [
      "NotImplementedError",
      `${call.name}(): only tensors of 3, 4 and 5 dims are supported, but it has ${shape.length}`,
    ];
  const given = itemsOf(call.value(hasSize ? "size" : "scale_factor"));
  if (given === undefined || given.length === shape.length - 2) return undefined;
  return [
    "ValueError",
    `${call.name}(): ${given.length} numbers are given for ${shape.length - 2} spatial dims`,
  ];
};

/** An image of no size is scaled to nothing. */
export const resized = every(
  bounded("size", positive, "Input and output sizes should be greater than 0, but got {}"),
  bounded("scale_factor", positive, "Input and output sizes should be greater than 0, but got {}"),
);

export const scaled = every(sized, scaling, resized);
