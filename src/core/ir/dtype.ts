/**
 * Element types by their canonical names (program.md); two elements of a 4-bit type share a byte.
 */
export type DType =
  | ("f64" | "f32" | "f16" | "bf16" | "f8e4m3" | "f8e5m2")
  | ("i64" | "i32" | "i16" | "i8" | "i4" | "u64" | "u32" | "u16" | "u8" | "u4" | "bool");

const spellings: Readonly<Record<string, DType>> = {
  f64: "f64",
  fp64: "f64",
  float64: "f64",
  double: "f64",
  f32: "f32",
  fp32: "f32",
  float32: "f32",
  float: "f32",
  f16: "f16",
  fp16: "f16",
  float16: "f16",
  half: "f16",
  bf16: "bf16",
  bfloat16: "bf16",
  f8e4m3: "f8e4m3",
  f8e5m2: "f8e5m2",
  float8_e4m3: "f8e4m3",
  float8_e5m2: "f8e5m2",
  float8_e4m3fn: "f8e4m3",
  float8_e4m3fnuz: "f8e4m3",
  float8_e5m2fnuz: "f8e5m2",
  i64: "i64",
  int64: "i64",
  i32: "i32",
  int32: "i32",
  i16: "i16",
  int16: "i16",
  i8: "i8",
  int8: "i8",
  i4: "i4",
  int4: "i4",
  u64: "u64",
  uint64: "u64",
  u32: "u32",
  uint32: "u32",
  u16: "u16",
  uint16: "u16",
  u8: "u8",
  uint8: "u8",
  u4: "u4",
  uint4: "u4",
  bool: "bool",
  boolean: "bool",
};

/** A map instead of an object, since keys such as `constructor` may be looked up. */
const bySpelling = new Map(Object.entries(spellings));

const widths: Readonly<Record<DType, number>> = {
  f64: 8,
  f32: 4,
  f16: 2,
  bf16: 2,
  f8e4m3: 1,
  f8e5m2: 1,
  i64: 8,
  i32: 4,
  i16: 2,
  i8: 1,
  i4: 0.5,
  u64: 8,
  u32: 4,
  u16: 2,
  u8: 1,
  u4: 0.5,
  bool: 1,
};

/** The dtype of a text in any accepted spelling, or `undefined`. */
export function parseDType(text: string): DType | undefined {
  return bySpelling.get(text);
}

/** The accepted spelling with the longest common beginning; `f32` if none begins alike. */
export function nearestDType(text: string): string {
  const own = text.slice(text.lastIndexOf(".") + 1);
  const lengths = Object.keys(spellings).map((name) => ({ name, same: commonStart(name, own) }));
  const best = Math.max(...lengths.map(({ same }) => same));
  return (best > 0 && lengths.find(({ same }) => same === best)?.name) || "f32";
}

function commonStart(a: string, b: string): number {
  const differs = [...a].findIndex((letter, at) => letter !== b[at]);
  return differs < 0 ? a.length : differs;
}

/** Bytes of one element; 0.5 for 4-bit types. */
export function bytesOf(dtype: DType): number {
  return widths[dtype];
}
