import { type DType, parseDType } from "#core/ir";
import { fieldOf } from "#core/records";
import { hostFunction, namespace, textOf } from "#language/document/bindings";
import type { Value } from "#language/python";

interface FloatLimits {
  readonly max: number;
  readonly eps: number;
  readonly tiny: number;
}

/** IEEE 754 binary64, binary32 and binary16, and bfloat16. */
const limits: Readonly<Partial<Record<DType, FloatLimits>>> = {
  f64: { max: Number.MAX_VALUE, eps: 2 ** -52, tiny: 2 ** -1022 },
  f32: { max: (2 - 2 ** -23) * 2 ** 127, eps: 2 ** -23, tiny: 2 ** -126 },
  f16: { max: 65504, eps: 2 ** -10, tiny: 2 ** -14 },
  bf16: { max: (2 - 2 ** -7) * 2 ** 127, eps: 2 ** -7, tiny: 2 ** -126 },
};

/** `torch.finfo(dtype)`: the largest and smallest numbers of a type; of float32 when unsaid. */
export const finfoWord: Value = hostFunction("finfo", ([given]) => {
  const { max, eps, tiny } = limits[parseDType(textOf(given?.value) ?? "") ?? "f32"] ?? single;
  const values: Readonly<Record<string, number>> = {
    ...{ max, eps, tiny, min: -max, smallest_normal: tiny },
  };
  return namespace("finfo", (name) => {
    const value = fieldOf(values, name);
    return value === undefined ? undefined : { kind: "float", value };
  });
});

const single: FloatLimits = { max: (2 - 2 ** -23) * 2 ** 127, eps: 2 ** -23, tiny: 2 ** -126 };
