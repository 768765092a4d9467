import { apply, type Expr, number, read } from "./body/body.ts";
import { add, div, isNumber, less, lessEqual, mul, neg, select, sub } from "./body/expressions.ts";
import type { ScalarFunction } from "./body/scalar.ts";

/**
 * The derivative of an expression by the elements of one operand.
 *
 * Only reads at the operand's projection have one here; a read at explicit indices of the operand
 * is a bug of the entry, which has to say its gradient itself.
 */
export function differentiate(expr: Expr, operand: number): Expr {
  switch (expr.kind) {
    case "number":
    case "index":
      return number(0);
    case "table":
      throw new Error("a body with tables has no derived gradient");
    case "read":
      if (expr.operand === operand && expr.at !== undefined) {
        throw new Error("a read at explicit indices has no derived gradient");
      }
      return number(expr.operand === operand ? 1 : 0);
    case "apply": {
      const parts = partials[expr.function](expr.args, expr);
      const inner = expr.args.map((arg) => differentiate(arg, operand));
      return add(...inner.flatMap((by, at) => (isNumber(by, 0) ? [] : [mul(by, parts[at] ?? 0)])));
    }
  }
}

type Partials = (args: readonly Expr[], whole: Expr) => readonly (Expr | number)[];

const zero: Expr = number(0);
const at = (args: readonly Expr[], index: number): Expr => args[index] ?? zero;
const none: Partials = () => [];

/** The derivative of each function by each of its arguments. */
const partials: Readonly<Record<ScalarFunction, Partials>> = {
  add: () => [1, 1],
  sub: () => [1, -1],
  mul: (args) => [at(args, 1), at(args, 0)],
  div: (args, whole) => [div(1, at(args, 1)), neg(div(whole, at(args, 1)))],
  neg: () => [-1],
  abs: (args) => [apply("sign", at(args, 0))],
  sign: none,
  max: (args) => [lessEqual(at(args, 1), at(args, 0)), less(at(args, 0), at(args, 1))],
  min: (args) => [lessEqual(at(args, 0), at(args, 1)), less(at(args, 1), at(args, 0))],
  exp: (_args, whole) => [whole],
  log: (args) => [div(1, at(args, 0))],
  sqrt: (_args, whole) => [div(0.5, whole)],
  rsqrt: (_args, whole) => [mul(-0.5, whole, whole, whole)],
  tanh: (_args, whole) => [sub(1, mul(whole, whole))],
  sigmoid: (_args, whole) => [mul(whole, sub(1, whole))],
  erf: (args) => [mul(2 / Math.sqrt(Math.PI), apply("exp", neg(mul(at(args, 0), at(args, 0)))))],
  sin: (args) => [apply("cos", at(args, 0))],
  cos: (args) => [neg(apply("sin", at(args, 0)))],
  pow: (args, whole) => [
    mul(at(args, 1), apply("pow", at(args, 0), sub(at(args, 1), 1))),
    mul(whole, apply("log", at(args, 0))),
  ],
  floor: none,
  quotient: none,
  less: none,
  "less-equal": none,
  "bit-and": none,
  "bit-or": none,
  "bit-xor": none,
  select: (args) => [0, select(at(args, 0), 1, 0), select(at(args, 0), 0, 1)],
  random: none,
};

/** The expression with every operand's number changed. */
export function withOperands(expr: Expr, renumber: (operand: number) => number): Expr {
  switch (expr.kind) {
    case "number":
    case "index":
    case "table":
      return expr;
    case "read":
      return read(
        renumber(expr.operand),
        expr.at?.map((each) => withOperands(each, renumber)),
      );
    case "apply":
      return { ...expr, args: expr.args.map((arg) => withOperands(arg, renumber)) };
  }
}
