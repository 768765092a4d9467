import type { DType } from "#core/ir";

const names: Readonly<Record<DType, string>> = {
  f64: "float64",
  f32: "float32",
  f16: "float16",
  bf16: "bfloat16",
  f8e4m3: "float8_e4m3fn",
  f8e5m2: "float8_e5m2",
  i64: "int64",
  i32: "int32",
  i16: "int16",
  i8: "int8",
  i4: "int4",
  u64: "uint64",
  u32: "uint32",
  u16: "uint16",
  u8: "uint8",
  u4: "uint4",
  bool: "bool_",
};

const byWidth: readonly DType[] = ["f16", "bf16", "f32", "f64"];

/** The dtype to which floats of several dtypes are promoted; `undefined` without floats. */
export function widestFloat(dtypes: readonly DType[]): DType | undefined {
  return byWidth.findLast((each) => dtypes.includes(each));
}

/** The name of a dtype in NumPy and JAX. */
export function numpyName(dtype: DType): string {
  return names[dtype];
}
