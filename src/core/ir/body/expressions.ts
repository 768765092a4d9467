import { apply, type Expr, number } from "./body.ts";

/** Sums, products and comparisons of expressions; numbers count as constants. */
export function add(...terms: readonly (Expr | number)[]): Expr {
  return joined("add", terms, 0);
}

export function mul(...factors: readonly (Expr | number)[]): Expr {
  return joined("mul", factors, 1);
}

export function sub(a: Expr | number, b: Expr | number): Expr {
  const [left, right] = [exprOf(a), exprOf(b)];
  return isNumber(right, 0) ? left : apply("sub", left, right);
}

export function div(a: Expr | number, b: Expr | number): Expr {
  return apply("div", exprOf(a), exprOf(b));
}

export function neg(a: Expr): Expr {
  return a.kind === "number" && a.setting === undefined ? number(-a.value) : apply("neg", a);
}

export function maximum(a: Expr | number, b: Expr | number): Expr {
  return apply("max", exprOf(a), exprOf(b));
}

export function minimum(a: Expr | number, b: Expr | number): Expr {
  return apply("min", exprOf(a), exprOf(b));
}

/** 1 where `a < b`, else 0. */
export function less(a: Expr | number, b: Expr | number): Expr {
  return apply("less", exprOf(a), exprOf(b));
}

export function lessEqual(a: Expr | number, b: Expr | number): Expr {
  return apply("less-equal", exprOf(a), exprOf(b));
}

/**
 * 1 where both are equal, else 0. It consists of two comparisons, so that an error that leaves one
 * undecided shows.
 */
export function equal(a: Expr | number, b: Expr | number): Expr {
  return mul(lessEqual(a, b), lessEqual(b, a));
}

/** 1 where `low <= a < high`. */
export function within(a: Expr, low: Expr | number, high: Expr | number): Expr {
  return mul(lessEqual(low, a), less(a, high));
}

export function select(condition: Expr, yes: Expr | number, no: Expr | number): Expr {
  return apply("select", condition, exprOf(yes), exprOf(no));
}

/** Integer division of an index, rounded down, and the remainder. */
export function quotient(a: Expr, b: number): Expr {
  if (b === 1) return a;
  return a.kind === "number" ? number(Math.floor(a.value / b)) : apply("quotient", a, number(b));
}

export function remainder(a: Expr, b: number): Expr {
  return sub(a, mul(quotient(a, b), b));
}

function exprOf(value: Expr | number): Expr {
  return typeof value === "number" ? number(value) : value;
}

/** Whether an expression is the given constant. */
export function isNumber(expr: Expr, value: number): boolean {
  return expr.kind === "number" && expr.setting === undefined && expr.value === value;
}

/** A chain of one function, without its neutral element; a product with 0 is 0. */
function joined(name: "add" | "mul", given: readonly (Expr | number)[], neutral: number): Expr {
  const terms = given.map(exprOf);
  if (name === "mul" && terms.some((term) => isNumber(term, 0))) return number(0);
  const [first, ...rest] = terms.filter((term) => !isNumber(term, neutral));
  return rest.reduce((chain, term) => apply(name, chain, term), first ?? number(neutral));
}
