import { product } from "#core/arithmetic";

/** Dtypes by MLIR's word: name in `Tensor(…)`, and PyTorch's. */
const words: Readonly<Record<string, readonly [own: string, torch: string]>> = {
  ...{ f64: ["f64", "float64"], f32: ["f32", "float32"], f16: ["f16", "float16"] },
  ...{
    bf16: ["bf16", "bfloat16"],
    i1: ["bool", "bool"],
    i8: ["i8", "int8"],
    i16: ["i16", "int16"],
  },
  ...{ i32: ["i32", "int32"], i64: ["i64", "int64"], ui8: ["u8", "uint8"] },
  ...{ ui16: ["u16", "uint16"], ui32: ["u32", "uint32"], ui64: ["u64", "uint64"] },
  ...{ f8E4M3FN: ["f8e4m3", "float8_e4m3fn"], f8E5M2: ["f8e5m2", "float8_e5m2"] },
};

/** Name of a dtype in programs; MLIR's own if there is none. */
export function ownDtype(dtype: string): string {
  return words[dtype]?.[0] ?? dtype;
}

/** PyTorch's dtype expression, for operators that take one. */
export function torchDtype(dtype: string): string | undefined {
  const name = words[dtype]?.[1];
  return name === undefined ? undefined : `torch.${name}`;
}

/** Whether a dtype is floating point. */
export function isFloating(dtype: string): boolean {
  return /^(?:f|bf)\d/u.test(dtype);
}

/** A shape as a Python tuple. */
export function tupleOf(shape: readonly number[]): string {
  return shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
}

/** Number of elements of a shape. */
export function countOf(shape: readonly number[]): number {
  return product(shape);
}

/** Whether two shapes are the same. */
export function isSameShape(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((size, at) => size === b[at]);
}
