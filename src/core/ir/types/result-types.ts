import { bytesOf, type DType } from "../dtype.ts";

/**
 * Rule that derives a result's dtype from the operands' dtypes. `like`: the dtype of one operand.
 * `promoted`: the common type of all tensors and numbers. `float`: the same, but a float even if
 * all are integers. `summed`: a wide integer for narrow integers. `same`: the one dtype that all
 * operands must have. `always`: a fixed dtype.
 */
export type TypeRule =
  | { readonly kind: "like"; readonly operand: number }
  | { readonly kind: "always"; readonly dtype: DType }
  | {
      readonly kind: "promoted" | "float" | "summed" | "same";
      /** Positions of the operands that determine the dtype; all if absent. */
      readonly operands?: readonly number[];
      /** Names of attributes that also determine the dtype. */
      readonly besides?: readonly string[];
      /** Dtype assumed for a plain number among the operands. */
      readonly number?: DType;
      /** Operands whose integers become floats before promotion. */
      readonly floatsBefore?: "all" | "first";
      /** Name of the argument that keeps integers as integers. */
      readonly wholeWith?: string;
    };

/**
 * An operand as promotion sees it. A tensor with dims outweighs one without dims, and that
 * outweighs a number of the program, as long as all are of one kind (flags, integers, floats).
 */
export interface TypedOperand {
  readonly dtype: DType;
  readonly weight: "tensor" | "scalar" | "number";
}

/** Whether a dtype is a float type. */
export function isFloat(dtype: DType): boolean {
  return dtype.startsWith("f") || dtype === "bf16";
}

function isUnsigned(dtype: DType): boolean {
  return dtype.startsWith("u");
}

/** The smallest dtype that holds the values of two dtypes of equal weight. */
export function promotedPair(a: DType, b: DType): DType {
  if (a === b || b === "bool") return a;
  if (a === "bool") return b;
  if (isFloat(a) !== isFloat(b)) return isFloat(a) ? a : b;
  const [wide, narrow] = bytesOf(a) >= bytesOf(b) ? [a, b] : [b, a];
  if (bytesOf(wide) > bytesOf(narrow)) return signedOf(wide, narrow);
  if (isFloat(a)) return bytesOf(a) > 1 ? "f32" : a;
  return nextSigned[wide] ?? "i64";
}

/** The wider dtype; if it is unsigned and the narrower is signed, the next wider signed one. */
function signedOf(wide: DType, narrow: DType): DType {
  const isHolding = isFloat(wide) || !isUnsigned(wide) || isUnsigned(narrow);
  return isHolding ? wide : (nextSigned[wide] ?? "i64");
}

const nextSigned: Readonly<Partial<Record<DType, DType>>> = {
  ...{ i4: "i8", u4: "i8", i8: "i16", u8: "i16", i16: "i32", u16: "i32" },
};

/** The dtype of two operands of equal weight. */
type Pair = (a: DType, b: DType) => DType;

/** The rules of dtypes that differ between tensors and arrays. */
export interface Promotion {
  readonly pair: Pair;
  /** The float for integers where a float is needed, and for numbers with fractions. */
  readonly defaultFloat: DType;
  /** The dtype of a sum of integers of a dtype. */
  readonly summed: (dtype: DType) => DType;
}

/** The promotion of tensors: a float holds every integer. */
export function tensorPromotion(defaultFloat: DType = "f32"): Promotion {
  return { pair: promotedPair, defaultFloat, summed: () => "i64" };
}

/** The promotion of NumPy 2 (NEP 50): a 32-bit float does not hold a 32-bit integer. */
export const arrayPromotion: Promotion = {
  pair: (a, b) => {
    if (isFloat(a) === isFloat(b) || a === "bool" || b === "bool") return widerPair(a, b);
    const [float, integer] = isFloat(a) ? [a, b] : [b, a];
    return widerPair(float, holding[bytesOf(integer)] ?? "f64");
  },
  defaultFloat: "f64",
  summed: (dtype) => (isUnsigned(dtype) ? "u64" : "i64"),
};

/** Float type that holds an integer type, by the integer's bytes. */
const holding: Readonly<Record<number, DType>> = { 1: "f16", 2: "f32" };

/**
 * Like `promotedPair`, but `f64` for `u64` with a signed integer, which no integer type can hold.
 */
function widerPair(a: DType, b: DType): DType {
  const isBeyond = [a, b].includes("u64") && [a, b].some((each) => /^i/u.test(each));
  return isBeyond ? "f64" : promotedPair(a, b);
}

/** Common dtype of all operands; a lighter operand counts only if its dtype is of a higher kind. */
function promoted(operands: readonly TypedOperand[], pair: Pair): DType | undefined {
  const of = (weight: TypedOperand["weight"]) =>
    operands
      .filter((each) => each.weight === weight)
      .map(({ dtype }) => dtype)
      .reduce<DType | undefined>((all, each) => (all ? pair(all, each) : each), undefined);
  return weighed(of("tensor"), weighed(of("scalar"), of("number"), pair), pair);
}

function weighed(heavy: DType | undefined, light: DType | undefined, pair: Pair) {
  if (heavy === undefined || light === undefined) return heavy ?? light;
  if (isFloat(heavy)) return heavy;
  return heavy === "bool" || isFloat(light) ? pair(heavy, light) : heavy;
}

/**
 * Dtype of a result; `undefined` if no operand determines it.
 *
 * @param operands by position; absent if unknown
 * @param promotion rules of common dtypes; those of tensors if absent
 */
export function resultType(
  rule: TypeRule,
  operands: readonly (TypedOperand | undefined)[],
  promotion = tensorPromotion(),
): DType | undefined {
  const { pair, defaultFloat } = promotion;
  if (rule.kind === "always") return rule.dtype;
  if (rule.kind === "like") return operands[rule.operand]?.dtype;
  const counted = operands.filter(
    (each, at): each is TypedOperand => each !== undefined && rule.operands?.includes(at) !== false,
  );
  if (rule.kind === "same") return counted[0]?.dtype;
  const { floatsBefore } = rule;
  if (floatsBefore !== undefined)
    return promoted(
      counted.map((each, at) =>
        isFloat(each.dtype) || (at > 0 && floatsBefore === "first")
          ? each
          : { ...each, dtype: defaultFloat },
      ),
      pair,
    );
  const number = rule.number && ({ dtype: rule.number, weight: "number" } as const);
  const whole = promoted(number === undefined ? counted : [...counted, number], pair);
  if (whole === undefined || rule.kind === "promoted" || isFloat(whole)) return whole;
  return rule.kind === "float" ? defaultFloat : promotion.summed(whole);
}

/** Distinct dtypes of operands if a rule requires a single one. */
export function mixedTypes(
  rule: TypeRule,
  operands: readonly (TypedOperand | undefined)[],
): readonly DType[] {
  if (rule.kind !== "same") return [];
  const dtypes = operands.flatMap((each, at) =>
    each === undefined || each.weight === "number" || rule.operands?.includes(at) === false
      ? []
      : [each.dtype],
  );
  const distinct = [...new Set(dtypes)];
  return distinct.length > 1 ? distinct : [];
}
