// The body of softmax, and its gradient.

import { apply, type Expr, folded, mapped, read, type Table, table, tabled } from "./body/body.ts";
import { sub } from "./body/expressions.ts";
import { axesIn, axisAt, type BoundCall, dimOf, operandAt } from "./call.ts";
import type { Backward, LibraryEntry } from "./entry.ts";

/** The axis along which `softmax` and its kin normalise, and all others. */
function alongOf(call: BoundCall): { along: string; others: readonly string[] } {
  const x = operandAt(call, 0);
  const along = axisAt(x, dimOf(call, x.shape.length, -1));
  return { along, others: axesIn(call, x).filter((name) => name !== along) };
}

/** The largest value along an axis and the sum of the exponentials below it. */
export function exponentials(
  value: Expr,
  along: string,
  others: readonly string[],
): readonly Table[] {
  return [
    tabled("top", others, folded("max", [along], value)),
    tabled("total", others, folded("sum", [along], apply("exp", sub(value, table("top"))))),
  ];
}

export function softmaxBody(formula: Expr): LibraryEntry["body"] {
  return (call) => {
    const { along, others } = alongOf(call);
    return { tables: exponentials(read(0), along, others), outputs: [mapped(formula)] };
  };
}

/** A gradient that needs one sum along the axis: reads 0 is dy, 2 is y. */
export function softmaxBackward(summed: Expr, formula: Expr): Backward {
  return {
    targets: [0],
    readsOutput: true,
    body: (call) => {
      const { along, others } = alongOf(call);
      const sum = tabled("sum", others, folded("sum", [along], summed));
      return { tables: [sum], outputs: [mapped(formula)] };
    },
  };
}
