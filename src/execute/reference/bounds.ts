import { type ScalarFunction, type ScalarRule, scalarRules } from "#core/ir/body";
import { type Arithmetic, isIntegral, roundingOf, wholeFunction } from "./arithmetic.ts";

/** A function of the body language on values with error bounds. */
export interface Evaluator {
  readonly evaluate: (a: number, b: number, c: number) => number;
  /** The bound of the result from the bounds of the arguments. */
  readonly bound: (args: Triple, errors: Triple, result: number, arity: number) => number;
}

export type Triple = readonly [number, number, number];

/** Evaluation of a function: as defined on floats, or by its integer replacement. */
export function evaluatorOf(name: ScalarFunction, arithmetic: Arithmetic): Evaluator {
  if (isIntegral(arithmetic)) {
    return { evaluate: wholeFunction(name, arithmetic), bound: () => 0 };
  }
  const { evaluate } = scalarRules[name];
  const bound = boundOf(name, arithmetic);
  return { evaluate, bound };
}

/**
 * Running error analysis (Wilkinson; Higham, "Accuracy and Stability", §3.3): the effect of the
 * arguments' errors on the result, plus the rounding of the function itself.
 */
function boundOf(name: ScalarFunction, arithmetic: Arithmetic): Evaluator["bound"] {
  const rule = scalarRules[name];
  const { largestExact, of: rounded } = roundingOf(arithmetic);
  const isExact = (args: Triple, result: number) =>
    rule.rounding <= 1 &&
    Number.isInteger(result) &&
    Math.abs(result) <= largestExact &&
    args.every(Number.isInteger);
  return (args, errors, result, arity) => {
    if (Number.isNaN(result)) return 0;
    const isKnown = errors[0] === 0 && errors[1] === 0 && errors[2] === 0;
    // Sums, differences and products of integers, such as indices, are exact within the range of
    // exact integers.
    if (isKnown && isExact(args, result)) return 0;
    const own = rounded(name, args, result);
    return isKnown ? own : own + inherited(rule, args, errors, result, arity);
  };
}

/** The effect of the arguments' errors on the result. */
function inherited(
  rule: ScalarRule,
  args: Triple,
  errors: Triple,
  result: number,
  arity: number,
): number {
  switch (rule.growth) {
    case "sum":
      return errors[0] + errors[1] + errors[2];
    case "bits": {
      const largest = Math.max(Math.abs(args[0]) + errors[0], Math.abs(args[1]) + errors[1]);
      return Math.abs(result) + 2 * largest;
    }
    case "branch":
      return branchBound(args, errors);
    case "corners":
      return cornerBound(rule, args, errors, result, arity);
  }
}

/** An undecided condition may take either branch. */
function branchBound([condition, yes, no]: Triple, [undecided, yesError, noError]: Triple): number {
  const taken = condition !== 0 ? yesError : noError;
  if (undecided === 0) return taken;
  const other = condition !== 0 ? noError : yesError;
  return Math.max(taken, Math.abs(yes - no) + other);
}

/** The farthest result at a corner of the arguments' box; infinite if the box leaves the domain. */
function cornerBound(
  { evaluate }: ScalarRule,
  [a, b]: Triple,
  [da, db]: Triple,
  result: number,
  arity: number,
): number {
  let worst = 0;
  for (const x of [a - da, a + da]) {
    for (const y of arity > 1 ? [b - db, b + db] : [b]) {
      const corner = evaluate(x, y, 0);
      if (Number.isNaN(corner)) return Number.POSITIVE_INFINITY;
      if (corner !== result) worst = Math.max(worst, Math.abs(corner - result));
    }
  }
  return worst;
}
