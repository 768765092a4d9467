// The data types of what a running program makes.

import type { Span } from "#core/diagnostics";
import type { DType } from "#core/ir";
import {
  isFloat,
  mixedTypes,
  type Promotion,
  resultType,
  type TypedOperand,
  type TypeRule,
  tensorPromotion,
} from "#core/ir/types";
import type { Context, Value } from "#language/python";
import type { ResultType } from "../../trace/operator-call.ts";
import type { TracedTensor } from "../../trace/traced.ts";
import { text } from "../values/values.ts";
import { longDType } from "./dtype-values.ts";

/** What becomes of the floats that an operator reads while a program lets its system choose. */
export type Casting = "low" | "single" | "single-result" | "widest";

/** Operators that run in another data type than that of their operands, by name. */
export interface CastingRules {
  /** The data type of what runs low. */
  readonly low: DType;
  readonly of: (name: string) => Casting | undefined;
  /** Parameters that are cast already, which are kept. */
  readonly kept: Map<TracedTensor, Value>;
}

/** An operand with what it tells of data types. */
export type Typed = TypedOperand & {
  readonly tensor?: TracedTensor;
};

/** How the data types of results follow in one run of a program, as its systems set it. */
export class ValueTypes {
  /** What integers become where a float is needed, and numbers with fractions. */
  defaultFloat: DType = "f32";
  /**
   * Whether a system checks data types itself; then no operand is refused here or given the type of
   * the others.
   */
  areCheckedElsewhere = false;
  casting: CastingRules | undefined;
  /** A data type as a value of the program; its name when unsaid. */
  valueOf: ((dtype: DType) => Value) | undefined;
  /** Says of operands that a function does not take them. */
  sayRefused:
    | ((op: string, operands: readonly (Typed | undefined)[], context: Context, span: Span) => void)
    | undefined;
  /** Says of operands that must be of one data type that they are of several. */
  sayMixed:
    | ((op: string, dtypes: readonly string[], context: Context, span: Span) => void)
    | undefined;

  /** Whether operands of several data types are computed with in the widest of them. */
  private promotes = false;
  /** How arrays are promoted, where arrays are computed with. */
  private ofArrays: Promotion | undefined;

  /** How data types follow from one another where the program is. */
  get promotion(): Promotion {
    return this.ofArrays ?? tensorPromotion(this.defaultFloat);
  }

  /**
   * Runs something that takes operands of any data types, which are promoted.
   *
   * @param ofArrays how, where all are arrays; as tensors when unsaid
   */
  promoting<T>(run: () => T, ofArrays?: Promotion): T {
    const { promotes, sayRefused, ofArrays: before } = this;
    this.promotes = true;
    this.ofArrays = ofArrays;
    this.sayRefused = undefined;
    try {
      return run();
    } finally {
      this.promotes = promotes;
      this.ofArrays = before;
      this.sayRefused = sayRefused;
    }
  }

  /** Runs something in which nothing is cast. */
  uncast<T>(run: () => T): T {
    const { casting } = this;
    this.casting = undefined;
    try {
      return run();
    } finally {
      this.casting = casting;
    }
  }

  /** What `x.dtype` is. */
  asValue({ dtype, dtypeText }: TracedTensor): Value {
    return (this.areCheckedElsewhere ? undefined : this.valueOf?.(dtype)) ?? text(dtypeText);
  }

  /** A value as an operand of promotion; `undefined` of what is neither a tensor nor a number. */
  operand(value: Value, tensor: TracedTensor | undefined): Typed | undefined {
    if (tensor !== undefined) {
      const isLight = tensor.shape?.length === 0 && this.ofArrays === undefined;
      const weight = isLight ? "scalar" : "tensor";
      return { dtype: tensor.dtype, weight, tensor };
    }
    const dtype = this.numberType(value);
    return dtype && { dtype, weight: "number" };
  }

  private numberType(value: Value): DType | undefined {
    if (value.kind === "bool") return "bool";
    if (value.kind === "int") return "i64";
    return value.kind === "float" ? this.promotion.defaultFloat : undefined;
  }

  /**
   * The data types of the results of a call, one per rule.
   *
   * @param named what the call gives by name
   */
  results(
    rules: readonly TypeRule[],
    operands: readonly (Typed | undefined)[],
    named: ReadonlyMap<string, Typed | undefined> = new Map<never, never>(),
  ): readonly (ResultType | undefined)[] {
    return rules.map((rule) => {
      if (rule.kind === "like" || rule.kind === "always") return this.result(rule, operands);
      const { wholeWith, besides = [] } = rule;
      const isWhole = wholeWith !== undefined && named.has(wholeWith);
      const others = besides.map((name) => named.get(name));
      return this.result(isWhole ? { kind: "promoted" } : rule, [...operands, ...others]);
    });
  }

  private result(rule: TypeRule, operands: readonly (Typed | undefined)[]): ResultType | undefined {
    const first = operands.find((each) => each?.tensor !== undefined);
    const dtype = resultType(rule, operands, this.promotion) ?? first?.dtype;
    if (dtype === undefined) return undefined;
    const isAssumed =
      rule.kind !== "always" && operands.some((each) => each?.tensor?.isTypeAssumed === true);
    const same = operands.find((each) => each?.tensor?.dtype === dtype)?.tensor;
    return { dtype, dtypeText: same?.dtypeText ?? usualText(dtype), isAssumed };
  }

  private promoted(operands: readonly (Typed | undefined)[]): readonly (Typed | undefined)[] {
    const dtype = resultType({ kind: "promoted" }, operands, this.promotion);
    return operands.map((each) => each && dtype && { ...each, dtype });
  }

  /**
   * Gives operands that must share one data type the same type: an operand of unknown type takes
   * that of the others.
   *
   * @param isRead whether something has read a tensor before
   */
  agree(
    op: string,
    rules: readonly TypeRule[],
    operands: readonly (Typed | undefined)[],
    isRead: (tensor: TracedTensor) => boolean,
    context: Context,
    span: Span,
  ): readonly (Typed | undefined)[] {
    const [rule] = rules;
    if (this.areCheckedElsewhere || rule === undefined || mixedTypes(rule, operands).length === 0)
      return operands;
    if (this.promotes) return this.promoted(operands);
    const known = operands.map((each) => (each?.tensor?.isTypeAssumed === true ? undefined : each));
    const mixed = mixedTypes(rule, known);
    const one = known.find((each) => each?.tensor !== undefined);
    if (mixed.length > 0) this.sayMixed?.(op, mixed.map(longDType), context, span);
    if (mixed.length > 0 || one?.tensor === undefined || !isFloat(one.dtype)) return operands;
    for (const each of operands) {
      const { tensor } = each ?? {};
      if (tensor?.isTypeAssumed !== true || tensor.producer !== undefined || isRead(tensor))
        continue;
      Object.assign(tensor, { ...said(one.tensor), isTypeAssumed: false });
    }
    return operands.map((each) =>
      each?.tensor === undefined ? each : { ...each, dtype: one.dtype },
    );
  }
}

/** The usual spelling of a data type in texts: a float of unknown origin is written so, too. */
function usualText(dtype: DType): string {
  return dtype === "f32" ? dtype : longDType(dtype);
}

function said(tensor: TracedTensor | undefined): ResultType | undefined {
  if (tensor === undefined) return undefined;
  const { dtype, dtypeText, isTypeAssumed = false } = tensor;
  return { dtype, dtypeText, isAssumed: isTypeAssumed };
}
