import { type ScalarFunction, type ScalarRule, scalarRules, standInNumber } from "#core/ir";

/** Unit roundoff of the doubles that both engines compute in. */
export const roundoff = 2 ** -53;

/** A function of the body language on values with error bounds. */
export interface Evaluator {
  readonly evaluate: (a: number, b: number, c: number) => number;
  /** The bound of the result from the bounds of the arguments. */
  readonly bound: (args: Triple, errors: Triple, result: number, arity: number) => number;
}

export type Triple = readonly [number, number, number];

/** How a function runs on floats, or by its stand-in where integers stay integers. */
export function evaluatorOf(name: ScalarFunction, values: "integers" | "floats"): Evaluator {
  const rule = scalarRules[name];
  if (values === "integers") {
    return { evaluate: rule.standIn ?? rule.evaluate, bound: () => 0 };
  }
  return {
    evaluate: rule.evaluate,
    bound: (args, errors, result, arity) => boundOf(rule, args, errors, result, arity),
  };
}

/** A constant as a run of these values sees it. */
export function constantOf(value: number, values: "integers" | "floats"): number {
  return values === "integers" ? standInNumber(value) : value;
}

/**
 * Running error analysis (Wilkinson; Higham, "Accuracy and Stability", §3.3): what the errors of
 * the arguments can make of the result, plus what the function rounds itself.
 */
function boundOf(
  rule: ScalarRule,
  args: Triple,
  errors: Triple,
  result: number,
  arity: number,
): number {
  if (Number.isNaN(result)) return 0;
  const isKnown = errors[0] === 0 && errors[1] === 0 && errors[2] === 0;
  if (isKnown && isWhole(rule, args, result)) return 0;
  const own = Number.isFinite(result) ? rule.rounding * roundoff * Math.abs(result) : 0;
  if (isKnown) return own;
  switch (rule.growth) {
    case "sum":
      return own + errors[0] + errors[1] + errors[2];
    case "branch":
      return own + branchBound(args, errors);
    case "corners":
      return own + cornerBound(rule, args, errors, result, arity);
  }
}

/** Sums, differences and products of integers are exact as long as a double holds them: indices. */
function isWhole(rule: ScalarRule, args: Triple, result: number): boolean {
  return rule.rounding <= 1 && Number.isSafeInteger(result) && args.every(Number.isInteger);
}

/** An undecided condition may take either branch. */
function branchBound([condition, yes, no]: Triple, [undecided, yesError, noError]: Triple): number {
  const taken = condition !== 0 ? yesError : noError;
  if (undecided === 0) return taken;
  const other = condition !== 0 ? noError : yesError;
  return Math.max(taken, Math.abs(yes - no) + other);
}

/** The farthest result at a corner of the arguments' box; infinite where the box leaves the domain. */
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
