import { apply, type Expr, mapped, number, position, read } from "./body/body.ts";
import { add, less, mul, select } from "./body/expressions.ts";
import { type BoundCall, broadcastAnnotation, numberOf, operandAt } from "./call.ts";
import { define } from "./define.ts";
import { contraction } from "./derived-gradient.ts";
import type { LibraryEntry } from "./entry.ts";

/**
 * 1 where an element is dropped, else 0. The draw depends on the seed and the element's index in
 * the whole tensor, so it is the same under every cut.
 */
function dropped(call: BoundCall): Expr {
  const { shape } = operandAt(call, 0);
  const flat = shape.reduce<Expr>(
    (sum, size, dim) => add(mul(sum, size), position(dim)),
    number(0),
  );
  const draw = apply("random", number(numberOf(call, "seed", 0)), flat);
  return less(draw, numberOf(call, "p", 0.5));
}

function kept(call: BoundCall): Expr {
  return select(dropped(call), 0, mul(read(0), 1 / (1 - numberOf(call, "p", 0.5))));
}

/**
 * Gradient of a dropout: dropped at the same elements as the value. With p = 0 it is passed
 * unchanged.
 */
const gradient: LibraryEntry["gradient"] = (call) => {
  if (numberOf(call, "p", 0.5) === 0) return [[contraction(call, 0, [])]];
  const { attributes } = call;
  return [[{ op: "dropout", operands: [{ from: "gradient", index: 0 }], attributes }]];
};

const sample: LibraryEntry["sample"] = (n) => ({
  inputs: [[n("a"), n("b")]],
  attributes: { p: 0.5, seed: 7 },
});

export const random: readonly LibraryEntry[] = [
  define({
    name: "dropout",
    parameters: ["x", "p", "seed"],
    tensors: 1,
    annotate: broadcastAnnotation,
    body: (call) => ({ tables: [], outputs: [mapped(kept(call))] }),
    gradient,
    linear: [[0]],
    sample,
  }),
  define({
    name: "dropout_with_mask",
    parameters: ["x", "p", "seed"],
    tensors: 1,
    annotate: (call) => broadcastAnnotation(call).replace(/-> (.*)$/u, "-> $1, $1"),
    /** The mask is 1 where an element is kept. */
    body: (call) => ({
      tables: [],
      outputs: [mapped(kept(call)), mapped(select(dropped(call), 0, 1))],
    }),
    gradient,
    sample,
  }),
];
