import type { DType } from "#core/ir";

const names: Readonly<Record<DType, string>> = {
  f64: "float64",
  f32: "float32",
  f16: "float16",
  bf16: "bfloat16",
  i64: "int64",
  i32: "int32",
  i16: "int16",
  i8: "int8",
  u8: "uint8",
  bool: "bool_",
};

const byWidth: readonly DType[] = ["f16", "bf16", "f32", "f64"];

/** The element type in which floats of several types meet; undefined where there are none. */
export function widestFloat(dtypes: readonly DType[]): DType | undefined {
  return byWidth.findLast((each) => dtypes.includes(each));
}

/** What NumPy and JAX call an element type. */
export function numpyName(dtype: DType): string {
  return names[dtype];
}
