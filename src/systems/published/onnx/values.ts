/** The form that a value of the graph has in the program. */
export type OnnxTerm =
  /** A tensor, as an expression that can stand before a dot. */
  | { readonly kind: "tensor"; readonly text: string; readonly rank?: number }
  /** Whole numbers that are known, or follow from shapes: each an expression of Python. */
  | { readonly kind: "ints"; readonly items: readonly string[]; readonly isScalar: boolean }
  /** One number. */
  | { readonly kind: "number"; readonly text: string };

/** A term as an operand. */
export function termText(term: OnnxTerm): string {
  if (term.kind !== "ints") return term.text;
  return term.isScalar ? (term.items[0] ?? "0") : `torch.tensor([${term.items.join(", ")}])`;
}

/** Whole numbers of a term. */
export function itemsOf(term: OnnxTerm | undefined): readonly string[] | undefined {
  return term?.kind === "ints" ? term.items : undefined;
}

/** Whole numbers of a term that are known. */
export function integersOf(term: OnnxTerm | undefined): readonly number[] | undefined {
  const numbers = itemsOf(term)?.map(Number);
  return numbers?.every((each) => Number.isFinite(each)) === true ? numbers : undefined;
}

/** Types by ONNX's numbers: our word, and PyTorch's. */
export const onnxTypes: Readonly<Record<number, readonly [own: string, torch: string]>> = {
  1: ["f32", "torch.float32"],
  2: ["u8", "torch.uint8"],
  3: ["i8", "torch.int8"],
  5: ["i16", "torch.int16"],
  6: ["i32", "torch.int32"],
  7: ["i64", "torch.int64"],
  9: ["bool", "torch.bool"],
  10: ["f16", "torch.float16"],
  11: ["f64", "torch.float64"],
  16: ["bf16", "torch.bfloat16"],
  17: ["f8e4m3", "torch.float8_e4m3fn"],
  19: ["f8e5m2", "torch.float8_e5m2"],
};

/** Whether a type has numbers with fractions. */
export function isFloatType(type: number): boolean {
  return [1, 10, 11, 16, 17, 19].includes(type);
}
