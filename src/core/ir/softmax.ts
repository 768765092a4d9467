// The body of softmax, and its gradient.

import {
  apply,
  type Expr,
  folded,
  mapped,
  number,
  read,
  type Table,
  table,
  tabled,
} from "./body/body.ts";
import { sub } from "./body/expressions.ts";
import { axesIn, axisAt, type BoundCall, dimOf, isLone, operandAt } from "./call.ts";
import type { Backward, LibraryEntry } from "./entry.ts";

/**
 * The axis along which `softmax` and its kin normalise, and all others; `undefined` for a tensor
 * without dims.
 */
function alongOf(call: BoundCall): { along: string; others: readonly string[] } | undefined {
  const x = operandAt(call, 0);
  if (isLone(x, dimOf(call, x.shape.length, -1))) return undefined;
  const along = axisAt(x, dimOf(call, x.shape.length, -1));
  return { along, others: axesIn(call, x).filter((name) => name !== along) };
}

/** Tables: the largest value along an axis, and the sum of exponentials relative to it. */
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

/** @param lone the result for one number alone */
export function softmaxBody(formula: Expr, lone: number): LibraryEntry["body"] {
  return (call) => {
    const axes = alongOf(call);
    if (axes === undefined) return { tables: [], outputs: [mapped(number(lone))] };
    const tables = exponentials(read(0), axes.along, axes.others);
    return { tables, outputs: [mapped(formula)] };
  };
}

/** A gradient that needs one sum along the axis: reads 0 is dy, 2 is y. */
export function softmaxBackward(summed: Expr, formula: Expr): Backward {
  return {
    targets: [0],
    readsOutput: true,
    body: (call) => {
      const axes = alongOf(call);
      if (axes === undefined) return { tables: [], outputs: [mapped(number(0))] };
      const sum = tabled("sum", axes.others, folded("sum", [axes.along], summed));
      return { tables: [sum], outputs: [mapped(formula)] };
    },
  };
}
