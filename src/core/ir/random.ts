import { broadcastAnnotation } from "./annotate.ts";
import { apply, type Expr, number, pointwise, position, read } from "./body.ts";
import { numberOf, operandAt } from "./call.ts";
import { define } from "./define.ts";
import type { LibraryEntry } from "./entry.ts";
import { add, less, mul, select } from "./expressions.ts";

export const random: readonly LibraryEntry[] = [
  define({
    name: "dropout",
    parameters: ["x", "p", "seed"],
    tensors: 1,
    annotate: broadcastAnnotation,
    /** The draw of an element depends on the seed and its global index: the same under every cut. */
    body: (call) => {
      const p = numberOf(call, "p", 0.5);
      const { shape } = operandAt(call, 0);
      const flat = shape.reduce<Expr>(
        (sum, size, dim) => add(mul(sum, size), position(dim)),
        number(0),
      );
      const draw = apply("random", number(numberOf(call, "seed", 0)), flat);
      return pointwise(select(less(draw, p), 0, mul(read(0), 1 / (1 - p))));
    },
    gradient: (call) => [
      [
        {
          op: "dropout",
          operands: [{ from: "gradient", index: 0 }],
          attributes: call.attributes,
        },
      ],
    ],
    linear: [[0]],
    sample: (n) => ({ inputs: [[n("a"), n("b")]], attributes: { p: 0.5, seed: 7 } }),
  }),
];
