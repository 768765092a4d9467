import { bytesOf, type DType } from "../dtype.ts";

/**
 * How the dtype of a result follows from those of the operands: it is that of one of them; of all
 * tensors and numbers together (`promoted`), a float even where all are integers (`float`), a wide
 * integer where they are narrow ones (`summed`); of operands that must have one in common (`same`);
 * or always the same one.
 */
export type TypeRule =
  | { readonly kind: "like"; readonly operand: number }
  | { readonly kind: "always"; readonly dtype: DType }
  | {
      readonly kind: "promoted" | "float" | "summed" | "same";
      /** The operands that count, by position; all when unsaid. */
      readonly operands?: readonly number[];
      /** Arguments that count beside them, by name. */
      readonly besides?: readonly string[];
      /** A number of this dtype counts beside them. */
      readonly number?: DType;
      /** Operands that become floats before they meet the others. */
      readonly floatsBefore?: "all" | "first";
      /** An argument with which integers stay integers. */
      readonly wholeWith?: string;
    };

/**
 * An operand as promotion sees it: a tensor with dims outweighs one without, and that a number of
 * the program, as long as all are of one kind (flags, integers, floats).
 */
export interface TypedOperand {
  readonly dtype: DType;
  readonly weight: "tensor" | "scalar" | "number";
}

/** Whether a dtype has fractions. */
export function isFloat(dtype: DType): boolean {
  return dtype.startsWith("f") || dtype === "bf16";
}

function isUnsigned(dtype: DType): boolean {
  return dtype.startsWith("u");
}

/** The dtype that holds what two of equal weight hold. */
export function promotedPair(a: DType, b: DType): DType {
  if (a === b || b === "bool") return a;
  if (a === "bool") return b;
  if (isFloat(a) !== isFloat(b)) return isFloat(a) ? a : b;
  const [wide, narrow] = bytesOf(a) >= bytesOf(b) ? [a, b] : [b, a];
  if (bytesOf(wide) > bytesOf(narrow)) return signedOf(wide, narrow);
  if (isFloat(a)) return bytesOf(a) > 1 ? "f32" : a;
  return nextSigned[wide] ?? "i64";
}

/** Of integers a wide one without sign holds no negative ones. */
function signedOf(wide: DType, narrow: DType): DType {
  const isHolding = isFloat(wide) || !isUnsigned(wide) || isUnsigned(narrow);
  return isHolding ? wide : (nextSigned[wide] ?? "i64");
}

const nextSigned: Readonly<Partial<Record<DType, DType>>> = {
  ...{ i4: "i8", u4: "i8", i8: "i16", u8: "i16", i16: "i32", u16: "i32" },
};

/** The dtype of all operands together; a lighter operand counts where it is of a higher kind. */
function promoted(operands: readonly TypedOperand[]): DType | undefined {
  const of = (weight: TypedOperand["weight"]) =>
    operands
      .filter((each) => each.weight === weight)
      .map(({ dtype }) => dtype)
      .reduce<DType | undefined>((all, each) => (all ? promotedPair(all, each) : each), undefined);
  return weighed(of("tensor"), weighed(of("scalar"), of("number")));
}

function weighed(heavy: DType | undefined, light: DType | undefined): DType | undefined {
  if (heavy === undefined || light === undefined) return heavy ?? light;
  if (isFloat(heavy)) return heavy;
  return heavy === "bool" || isFloat(light) ? promotedPair(heavy, light) : heavy;
}

/**
 * The dtype of a result; `undefined` where no operand says it.
 *
 * @param operands by position; absent where nobody knows
 * @param defaultFloat what integers become where a float is needed
 */
export function resultType(
  rule: TypeRule,
  operands: readonly (TypedOperand | undefined)[],
  defaultFloat: DType = "f32",
): DType | undefined {
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
    );
  const number = rule.number && ({ dtype: rule.number, weight: "number" } as const);
  const whole = promoted(number === undefined ? counted : [...counted, number]);
  if (whole === undefined || rule.kind === "promoted" || isFloat(whole)) return whole;
  return rule.kind === "float" ? defaultFloat : "i64";
}

/** The dtypes of operands that a rule wants to be one, where they are several. */
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
