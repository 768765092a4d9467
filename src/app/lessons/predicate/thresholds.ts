import { type Expression, partsOf, ruleOf } from "./expression.ts";
import type { Fault } from "./faults.ts";

/**
 * Faults for comparisons of a modelled figure (seconds, bytes of memory) with a bare number: a
 * change of the cost model would invalidate them. Zero is allowed.
 */
export function bareThresholds(expression: Expression): readonly Fault[] {
  return partsOf(expression).flatMap((part) => {
    if (part.kind !== "compare") return [];
    const sides = [part.left, part.right];
    const isModelledSide = sides.some(isModelled);
    const bare = sides.find((side) => !hasTerm(side) && !isZero(side));
    if (!isModelledSide || bare === undefined) return [];
    const message =
      "a bound of seconds or of memory is never a bare number: write it from start(…) or best(…)";
    return [{ message, span: bare.span }];
  });
}

function isModelled(side: Expression): boolean {
  return partsOf(side).some(
    (part) => part.kind === "term" && ruleOf(part.name).isModelled === true,
  );
}

function hasTerm(side: Expression): boolean {
  return partsOf(side).some(({ kind }) => kind === "term");
}

function isZero(side: Expression): boolean {
  return side.kind === "number" && side.value === 0;
}
