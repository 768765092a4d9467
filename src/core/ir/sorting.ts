import { type Body, folded, index, mapped, number, position, read, table } from "./body/body.ts";
import { equal, select } from "./body/expressions.ts";
import {
  axisAt,
  type BoundCall,
  type CallShapes,
  dimOf,
  flagOf,
  frozenAt,
  isLone,
  numberOf,
  operandAt,
  shapeAt,
} from "./call.ts";
import { define } from "./define.ts";
import type { Backward, LibraryEntry } from "./entry.ts";
import { rankOrder } from "./rank-order.ts";

/** The axis along which a call, or its gradient, orders. */
function orderAxis(call: BoundCall): { axis: string; dim: number } {
  const x = operandAt(call, 0);
  const dim = dimOf(call, x.shape.length, -1);
  return { axis: axisAt(x, dim), dim };
}

function first(call: BoundCall): "largest" | "smallest" {
  return flagOf(call, "largest", flagOf(call, "descending")) ? "largest" : "smallest";
}

/** Values and indices in order: element `place` of the result is the element of that rank. */
function ordered(call: BoundCall, which: "largest" | "smallest"): Body {
  if (isLoneOrder(call)) return { tables: [], outputs: [mapped(read(0)), mapped(number(0))] };
  const { axis, dim } = orderAxis(call);
  const isPlaced = equal(table("rank"), position(dim));
  // The result's own loop along the order; the rank of an element decides its place.
  const own = index(axis);
  return {
    tables: [rankOrder(call, axis, which)],
    outputs: [
      folded("sum", [axis], select(isPlaced, read(0), 0)),
      folded("sum", [axis], select(isPlaced, own, 0)),
    ],
  };
}

/** Whether the call orders a single number. */
function isLoneOrder(call: BoundCall): boolean {
  const x = operandAt(call, 0);
  return isLone(x, dimOf(call, x.shape.length, -1));
}

/** Gradient of an element: the result's gradient at the element's rank. */
function orderedBackward(which: (call: BoundCall) => "largest" | "smallest"): Backward {
  return {
    targets: [0],
    body: (call) => {
      if (isLoneOrder(call)) return { tables: [], outputs: [mapped(read(0))] };
      const { axis, dim } = orderAxis(call);
      const x = operandAt(call, 0);
      const at = x.dims.map(({ identifiers }, each) =>
        each === dim ? table("rank") : index(identifiers[0] ?? ""),
      );
      // The gradient comes before x among the operands; a rank beyond the result reads 0.
      const shifted = { ...call, inputs: [undefined, ...call.inputs] };
      return {
        tables: [rankOrder(shifted, axis, which(call), 1)],
        outputs: [mapped(read(0, at))],
      };
    },
  };
}

function orderAnnotation(call: CallShapes, count: number): string {
  const rank = shapeAt(call, 0).length;
  const dim = dimOf(call, rank, -1);
  const input = frozenAt(rank, (each) => each === dim).join(" ");
  const output = frozenAt(rank, () => false).map((name, each) =>
    each === dim ? String(count) : name,
  );
  return `${input} -> ${output.join(" ")}, ${output.join(" ")}`;
}

function sizeAlong(call: CallShapes): number {
  const shape = shapeAt(call, 0);
  return shape[dimOf(call, shape.length, -1)] ?? 1;
}

/** Operators that put elements in order along a dim. */
export const sorting: readonly LibraryEntry[] = [
  define({
    name: "top_k",
    aliases: ["topk"],
    parameters: ["x", "k", "dim", "largest"],
    tensors: 1,
    annotate: (call) => orderAnnotation(call, numberOf(call, "k", 1)),
    body: (call) => ordered(call, flagOf(call, "largest", true) ? "largest" : "smallest"),
    gradient: orderedBackward((call) => (flagOf(call, "largest", true) ? "largest" : "smallest")),
    sample: (n) => ({ inputs: [[n("a"), n("b")]], attributes: { k: 2 } }),
  }),
  define({
    name: "sort",
    parameters: ["x", "dim", "descending"],
    tensors: 1,
    annotate: (call) => orderAnnotation(call, sizeAlong(call)),
    body: (call) => ordered(call, first(call)),
    gradient: orderedBackward(first),
    sample: (n) => ({ inputs: [[n("a"), n("b")]], attributes: { descending: true } }),
  }),
];
