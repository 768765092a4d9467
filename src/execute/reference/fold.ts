import type { Definition } from "#core/ir/body";
import { type Arithmetic, type Rounding, roundingOf, wordOf, wordProduct } from "./arithmetic.ts";

/** The terms of a loop joined so far, with the bound on their error. */
export interface Fold {
  result: number;
  errors: number;
  magnitude: number;
  count: number;
  /** Whether all terms are integers, so that their sum is exact. */
  isWhole: boolean;
}

/** Joins one more term, whose own error is at most `error`. */
type Join = (fold: Fold, combine: Definition["combine"], value: number, error: number) => void;

/** The rule that joins terms in an arithmetic. */
export function joinIn(arithmetic: Arithmetic): Join {
  const { unit } = roundingOf(arithmetic);
  if (arithmetic !== "words") {
    return (fold, combine, value, error) => join(unit, fold, combine, value, error);
  }
  return (fold, combine, value, error) => {
    const product = wordProduct(fold.result, value);
    join(unit, fold, combine, value, error);
    fold.result = combine === "prod" ? product : wordOf(fold.result);
  };
}

function join(
  unit: number,
  fold: Fold,
  combine: Definition["combine"],
  value: number,
  error: number,
): void {
  fold.count += 1;
  switch (combine) {
    case "sum":
      fold.result += value;
      fold.errors += error;
      fold.magnitude += Math.abs(value);
      if (!Number.isInteger(value)) fold.isWhole = false;
      return;
    case "prod": {
      const errors = fold.errors * (Math.abs(value) + error) + Math.abs(fold.result) * error;
      fold.result *= value;
      fold.errors = errors + unit * Math.abs(fold.result);
      return;
    }
    case "max":
      fold.result = Math.max(fold.result, value);
      fold.errors = Math.max(fold.errors, error);
      return;
    case "min":
      fold.result = Math.min(fold.result, value);
      fold.errors = Math.max(fold.errors, error);
      return;
  }
}

/** A sum of n terms is off by at most n·u·Σ|term| in any order, across devices too (Higham §4.2). */
export function errorOf(
  fold: Fold,
  combine: Definition["combine"],
  { unit, largestExact }: Rounding,
): number {
  const { errors, magnitude, count, isWhole } = fold;
  if (combine !== "sum" || !Number.isFinite(magnitude)) return errors;
  if (errors === 0 && isWhole && magnitude <= largestExact) return 0;
  return errors + count * unit * magnitude;
}
