import { memoized } from "#core/records";
import type { TracedOperator } from "#language/document/trace";
import { withoutConstants } from "./constants.ts";
import { primitiveName } from "./primitive-name.ts";
import { changesNothing } from "./transparent.ts";

/**
 * Operators that MindSpore works out or removes before it reads strategies: those of constants,
 * `x · 1`, `x + 0`, and those that change nothing. Their strategies are not checked.
 */
export const removedOperators = memoized(
  (operators: readonly TracedOperator[]): ReadonlySet<TracedOperator> => {
    const placed = operators.map((traced) => ({ traced, op: primitiveName(traced) }));
    const kept = new Set(withoutConstants(placed).kept);
    const gone = placed.filter((each) => !kept.has(each) || changesNothing(each.traced, each.op));
    return new Set(gone.map(({ traced }) => traced));
  },
);
