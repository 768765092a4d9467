/** Loom's own set (loom.md §3). */
export const loomDtypes: readonly string[] = ["int32", "float32"];

/** What a document may use when nobody chooses: Loom's set and what its texts use beyond it. */
export const defaultDtypes: readonly string[] = [
  ...["bool", "boolean", "int8", "int16", "int32", "int64"],
  ...["uint8", "uint16", "uint32", "uint64"],
  ...["float16", "bfloat16", "float32", "float64", "complex64", "complex128"],
];
