/** A value of the graph as the program writes it; `type` is ONNX's dtype number. */
export type OnnxTerm =
  /** A tensor, as an expression that may precede a dot. */
  | {
      readonly kind: "tensor";
      readonly text: string;
      readonly rank?: number;
      readonly type?: number;
    }
  /** Integers that are known or derived from shapes, each a Python expression. */
  | {
      readonly kind: "ints";
      readonly items: readonly string[];
      readonly isScalar: boolean;
      readonly type?: number;
    }
  /** One number with `rank` dims of size 1 (0 when absent). */
  | {
      readonly kind: "number";
      readonly text: string;
      readonly rank?: number;
      readonly type?: number;
    };

/** A term as an operand of a function that also accepts numbers. */
export function termText(term: OnnxTerm): string {
  if (term.kind !== "ints") return term.text;
  return term.isScalar ? (term.items[0] ?? "0") : tensorText(term);
}

/** A term as a tensor of its own shape and dtype. */
export function tensorText(term: OnnxTerm): string {
  if (term.kind === "tensor") return term.text;
  const word = onnxTypes[term.type ?? 0]?.[1];
  if (term.kind === "number") {
    const rank = term.rank ?? 0;
    const isUsual = word === "torch.float32" && /^-?\d*\.\d/u.test(term.text);
    const type = word === undefined || isUsual ? "" : `, dtype=${word}`;
    if (rank === 0) return `torch.tensor(${term.text}${type})`;
    return `torch.full((${"1, ".repeat(rank).slice(0, rank === 1 ? 2 : -2)}), ${term.text}${type})`;
  }
  const isUsual = term.items.length > 0 && (word === undefined || word === "torch.int64");
  const type = isUsual ? "" : `, dtype=${word ?? "torch.int64"}`;
  const list = term.items.join(", ");
  return `torch.tensor(${term.isScalar ? list : `[${list}]`}${type})`;
}

/** Rank of a term, if known. */
export function dimsIn(term: OnnxTerm | undefined): number | undefined {
  if (term?.kind === "ints") return term.isScalar ? 0 : 1;
  return term?.kind === "number" ? (term.rank ?? 0) : term?.rank;
}

/** Entries of an integer term as expressions; `undefined` for other terms. */
export function itemsOf(term: OnnxTerm | undefined): readonly string[] | undefined {
  return term?.kind === "ints" ? term.items : undefined;
}

/** Entries of an integer term as numbers; `undefined` if one is not known. */
export function integersOf(term: OnnxTerm | undefined): readonly number[] | undefined {
  const numbers = itemsOf(term)?.map(Number);
  return numbers?.every((each) => Number.isFinite(each)) === true ? numbers : undefined;
}

/** Dtypes by ONNX's number: name in programs, and PyTorch's. */
export const onnxTypes: Readonly<Record<number, readonly [own: string, torch: string]>> = {
  1: ["f32", "torch.float32"],
  2: ["u8", "torch.uint8"],
  3: ["i8", "torch.int8"],
  4: ["u16", "torch.uint16"],
  5: ["i16", "torch.int16"],
  6: ["i32", "torch.int32"],
  7: ["i64", "torch.int64"],
  9: ["bool", "torch.bool"],
  10: ["f16", "torch.float16"],
  11: ["f64", "torch.float64"],
  12: ["u32", "torch.uint32"],
  13: ["u64", "torch.uint64"],
  16: ["bf16", "torch.bfloat16"],
  17: ["f8e4m3", "torch.float8_e4m3fn"],
  19: ["f8e5m2", "torch.float8_e5m2"],
};

/** Whether a dtype is floating point. */
export function isFloatType(type: number): boolean {
  return [1, 10, 11, 16, 17, 19].includes(type);
}

/** Whether a dtype is known to be an integer type. */
export function isWholeType(type: number | undefined): boolean {
  return type !== undefined && [2, 3, 4, 5, 6, 7, 12, 13].includes(type);
}
