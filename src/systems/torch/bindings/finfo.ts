import { bytesOf, type DType } from "#core/ir";
import { fieldOf } from "#core/records";
import { dtypeOf, longDType } from "#language/document/bindings/types";
import { hostFunction, integer, namespace, text } from "#language/document/bindings/values";
import type { Value } from "#language/python";

interface FloatLimits {
  readonly max: number;
  readonly eps: number;
  readonly tiny: number;
}

/** IEEE 754 binary64, binary32 and binary16, bfloat16, and the two of 8 bits. */
const limits: Readonly<Partial<Record<DType, FloatLimits>>> = {
  f64: { max: Number.MAX_VALUE, eps: 2 ** -52, tiny: 2 ** -1022 },
  f32: { max: (2 - 2 ** -23) * 2 ** 127, eps: 2 ** -23, tiny: 2 ** -126 },
  f16: { max: 65504, eps: 2 ** -10, tiny: 2 ** -14 },
  bf16: { max: (2 - 2 ** -7) * 2 ** 127, eps: 2 ** -7, tiny: 2 ** -126 },
  f8e4m3: { max: 448, eps: 2 ** -3, tiny: 2 ** -6 },
  f8e5m2: { max: 57344, eps: 2 ** -2, tiny: 2 ** -14 },
};

/** `torch.finfo(dtype)`: the largest and smallest numbers of a type; of float32 when unsaid. */
export const finfoWord: Value = hostFunction("finfo", ([given]) => {
  const dtype = dtypeOf(given?.value) ?? "f32";
  const { max, eps, tiny } = limits[dtype] ?? single;
  const values: Readonly<Record<string, number>> = {
    ...{ max, eps, tiny, min: -max, smallest_normal: tiny },
  };
  return namespace("finfo", (name) => {
    if (name === "bits") return integer(8 * bytesOf(dtype));
    if (name === "dtype") return text(longDType(dtype));
    const value = fieldOf(values, name);
    return value === undefined ? undefined : { kind: "float", value };
  });
});

const single: FloatLimits = { max: (2 - 2 ** -23) * 2 ** 127, eps: 2 ** -23, tiny: 2 ** -126 };

/** `torch.iinfo(dtype)`: the largest and smallest integers of a type; of int64 when unsaid. */
export const iinfoWord: Value = hostFunction("iinfo", ([given]) => {
  const dtype = dtypeOf(given?.value) ?? "i64";
  const bits = BigInt(8 * bytesOf(dtype));
  const isSigned = !dtype.startsWith("u");
  const max = (1n << (isSigned ? bits - 1n : bits)) - 1n;
  const values: Readonly<Record<string, Value>> = {
    max: { kind: "int", value: max },
    min: { kind: "int", value: isSigned ? -max - 1n : 0n },
    bits: { kind: "int", value: bits },
    dtype: text(longDType(dtype)),
  };
  return namespace("iinfo", (name) => fieldOf(values, name));
});
