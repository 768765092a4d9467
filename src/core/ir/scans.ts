import { type Body, folded, index, position, read } from "./body/body.ts";
import { lessEqual, select } from "./body/expressions.ts";
import { alongDim, type BoundCall, dimOf, flagOf, operandAt } from "./call.ts";
import { define } from "./define.ts";
import type { LibraryEntry } from "./entry.ts";

function cumsumBody(call: BoundCall): Body {
  const x = operandAt(call, 0);
  const dim = dimOf(call, x.shape.length, -1);
  const other = index("other");
  const at = x.shape.map((_, each) => (each === dim ? other : position(each)));
  const isCounted = flagOf(call, "reverse")
    ? lessEqual(position(dim), other)
    : lessEqual(other, position(dim));
  const loop = { axis: "other", size: x.shape[dim] ?? 0 };
  return {
    tables: [],
    outputs: [folded("sum", [loop], select(isCounted, read(0, at), 0))],
  };
}

/** Operators whose elements are computed from all elements before them along a dim. */
export const scans: readonly LibraryEntry[] = [
  define({
    name: "cumsum",
    parameters: ["x", "dim", "reverse"],
    tensors: 1,
    annotate: alongDim,
    body: cumsumBody,
    gradient: (call) => [
      [
        {
          op: "cumsum",
          operands: [{ from: "gradient", index: 0 }],
          attributes: { ...call.attributes, reverse: !flagOf(call, "reverse") },
        },
      ],
    ],
    linear: [[0]],
    sample: (n) => ({ inputs: [[n("a"), n("b"), n("c")]], attributes: { dim: 1 } }),
  }),
];
