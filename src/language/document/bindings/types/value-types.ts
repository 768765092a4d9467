// Data types of a running program's values.

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

/** How autocast changes the float operands of an operator. */
export type Casting = "low" | "single" | "single-result" | "widest";

/** Autocast rules: operators that run in another data type than their operands, by name. */
export interface CastingRules {
  /** Data type of operators that run in low precision. */
  readonly low: DType;
  readonly of: (name: string) => Casting | undefined;
  /** Casts of parameters made so far, which are reused. */
  readonly kept: Map<TracedTensor, Value>;
}

/** An operand with its data type facts. */
export type Typed = TypedOperand & {
  readonly tensor?: TracedTensor;
};

/** Data type promotion in one run of a program, as its systems configure it. */
export class ValueTypes {
  /** Float type for numbers with fractions, and for integers where a float is needed. */
  defaultFloat: DType = "f32";
  /**
   * Whether a system checks data types itself; then operands are neither refused nor given each
   * other's type here.
   */
  areCheckedElsewhere = false;
  casting: CastingRules | undefined;
  /** Python value of a data type; its name is used when absent. */
  valueOf: ((dtype: DType) => Value) | undefined;
  /** Reports operand types that a function does not take. */
  sayRefused:
    | ((op: string, operands: readonly (Typed | undefined)[], context: Context, span: Span) => void)
    | undefined;
  /** Reports operands of different data types where one is required. */
  sayMixed:
    | ((op: string, dtypes: readonly string[], context: Context, span: Span) => void)
    | undefined;

  /** Whether operands of different data types are promoted to the widest one. */
  private promotes = false;
  /** Promotion rules of arrays, while arrays are computed with. */
  private ofArrays: Promotion | undefined;

  /** Promotion rules in effect now. */
  get promotion(): Promotion {
    return this.ofArrays ?? tensorPromotion(this.defaultFloat);
  }

  /**
   * Runs a function in which operands of different data types are promoted.
   *
   * @param ofArrays promotion rules when all operands are arrays; those of tensors when absent
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

  /** Runs a function without automatic casts. */
  uncast<T>(run: () => T): T {
    const { casting } = this;
    this.casting = undefined;
    try {
      return run();
    } finally {
      this.casting = casting;
    }
  }

  /** Value of `x.dtype`. */
  asValue({ dtype, dtypeText }: TracedTensor): Value {
    return (this.areCheckedElsewhere ? undefined : this.valueOf?.(dtype)) ?? text(dtypeText);
  }

  /** Operand of promotion for a value; `undefined` for neither tensors nor numbers. */
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
   * Data types of the results of a call, one per rule.
   *
   * @param named named arguments that take part in the rules
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
   * Gives operands that must share a data type the same one: an operand of assumed type takes that
   * of the others.
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

/** Usual text of a data type. */
function usualText(dtype: DType): string {
  return dtype === "f32" ? dtype : longDType(dtype);
}

function said(tensor: TracedTensor | undefined): ResultType | undefined {
  if (tensor === undefined) return undefined;
  const { dtype, dtypeText, isTypeAssumed = false } = tensor;
  return { dtype, dtypeText, isAssumed: isTypeAssumed };
}
