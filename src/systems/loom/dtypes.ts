/**
 * The data types that a document may use by default: Loom's own set, `int32` and `float32`, and
 * those that Loom's texts use beyond it (loom.md §3).
 */
export const defaultDtypes: readonly string[] = [
  ...["bool", "boolean", "int8", "int16", "int32", "int64"],
  ...["uint8", "uint16", "uint32", "uint64"],
  ...["float16", "bfloat16", "float32", "float64", "complex64", "complex128"],
];
