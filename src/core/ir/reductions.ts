import {
  apply,
  type Body,
  type Expr,
  folded,
  index,
  mapped,
  number,
  read,
  type Table,
  table,
  tabled,
} from "./body/body.ts";
import { add, div, equal, maximum, mul, select, sub } from "./body/expressions.ts";
import {
  alongDim,
  axesBeside,
  axesIn,
  axisAt,
  type BoundCall,
  type CallOperand,
  type CallShapes,
  dimOf,
  flagOf,
  isLone,
  letter,
  listOf,
  numberOf,
  operandAt,
  outputAt,
  pointsAlong,
  pointsOf,
  reducedAnnotation,
  shapeAt,
} from "./call.ts";
import { define } from "./define.ts";
import type { Backward, EntrySpec, LibraryEntry } from "./entry.ts";
import { rankOrder } from "./rank-order.ts";

/** An operator that combines the dims that `dim` names (all, when it names none). */
function reduction(
  name: string,
  mark: "+" | "^",
  body: LibraryEntry["body"],
  extra: Pick<EntrySpec, "gradient"> & Partial<EntrySpec>,
): LibraryEntry {
  return define({
    name,
    parameters: ["x", "dim", "keepdim"],
    tensors: 1,
    annotate: (call) => reducedAnnotation(call, mark),
    body,
    sample: (n) => ({
      inputs: [[n("a"), n("b"), n("c")]],
      attributes: { dim: [1], keepdim: true },
    }),
    ...extra,
  });
}

/** The axes that a reduction runs over, and those that are left. */
function axesOf(call: BoundCall, result: CallOperand): { over: string[]; kept: string[] } {
  return { over: [...axesBeside(call, result)], kept: [...axesIn(call, result)] };
}

function combining(combine: "sum" | "max" | "min" | "prod"): LibraryEntry["body"] {
  return (call) => ({
    tables: [],
    outputs: [folded(combine, axesOf(call, outputAt(call, 0)).over, read(0))],
  });
}

/**
 * A gradient by a formula over the output's gradient, the input, and the output, after the given
 * tables.
 */
function passing(
  formula: (call: BoundCall) => Expr,
  tables: (call: BoundCall) => readonly Table[] = () => [],
): Backward {
  return {
    targets: [0],
    readsOutput: true,
    body: (call) => ({ tables: tables(call), outputs: [mapped(formula(call))] }),
  };
}

const [gradient, input, result] = [read(0), read(1), read(2)];

/** The mean over the reduced axes, as a table over the others. */
function meanTable(call: BoundCall, value: Expr): Table {
  const { over, kept } = axesOf(call, outputAt(call, 0));
  return tabled("mean", kept, folded("sum", over, div(value, pointsAlong(call, over))));
}

function meanBody(call: BoundCall): Body {
  const { over } = axesOf(call, outputAt(call, 0));
  return { tables: [], outputs: [folded("sum", over, div(read(0), pointsAlong(call, over)))] };
}

function varianceCount(call: BoundCall): number {
  const count = pointsAlong(call, axesOf(call, outputAt(call, 0)).over);
  return count - numberOf(call, "correction", 1);
}

/** The gradient of a maximum or minimum; equal extremes share it equally. */
const extremes: Backward = {
  ...passing(
    () => div(mul(gradient, equal(input, result)), maximum(table("count"), 1)),
    (call) => {
      const { over, kept } = axesOf(call, outputAt(call, 0));
      return [tabled("count", kept, folded("sum", over, equal(input, result)))];
    },
  ),
  looksAtAll: true,
};

export const reductions: readonly LibraryEntry[] = [
  reduction("sum", "+", combining("sum"), { gradient: "derived", linear: [[0]] }),
  reduction("mean", "^", meanBody, { gradient: "derived", linear: [[0]], addsUp: true }),
  // Averaged dims may be cut too: shares of a mean add up to it.
  reduction("reduce_mean", "+", meanBody, { gradient: "derived", linear: [[0]] }),
  reduction("amax", "^", combining("max"), { gradient: extremes }),
  reduction("amin", "^", combining("min"), { gradient: extremes }),
  // Maximum and minimum: the extreme of the parts' extremes is the extreme of the whole.
  reduction("reduce_max", "+", combining("max"), { gradient: extremes, combine: "max" }),
  reduction("reduce_min", "+", combining("min"), { gradient: extremes, combine: "min" }),
  reduction("prod", "^", combining("prod"), {
    gradient: passing(() => div(mul(gradient, result), input)),
    domains: [{ kind: "positive" }],
  }),
  reduction(
    "var",
    "^",
    (call) => ({
      tables: [meanTable(call, read(0))],
      outputs: [
        folded(
          "sum",
          axesOf(call, outputAt(call, 0)).over,
          div(square(sub(read(0), table("mean"))), varianceCount(call)),
        ),
      ],
    }),
    {
      parameters: ["x", "dim", "keepdim", "correction"],
      gradient: passing(
        (call) => div(mul(2, gradient, sub(input, table("mean"))), varianceCount(call)),
        (call) => [meanTable(call, input)],
      ),
    },
  ),
  reduction(
    "norm",
    "^",
    (call) => ({
      tables: [
        tabled(
          "squares",
          pointsOf(call, outputAt(call, 0)),
          folded("sum", axesOf(call, outputAt(call, 0)).over, square(read(0))),
        ),
      ],
      outputs: [mapped(apply("sqrt", table("squares")))],
    }),
    { gradient: passing(() => div(mul(gradient, input), result)) },
  ),
  reduction(
    "logsumexp",
    "^",
    (call) => {
      const { over } = axesOf(call, outputAt(call, 0));
      const kept = pointsOf(call, outputAt(call, 0));
      const shifted = apply("exp", sub(read(0), table("top")));
      return {
        tables: [
          tabled("top", kept, folded("max", over, read(0))),
          tabled("total", kept, folded("sum", over, shifted)),
        ],
        outputs: [mapped(add(table("top"), apply("log", table("total"))))],
      };
    },
    { gradient: passing(() => mul(gradient, apply("exp", sub(input, result)))) },
  ),
  define({
    name: "sum_to",
    aliases: ["sum_to_size"],
    parameters: ["x", "size"],
    tensors: 1,
    gathers: "size",
    annotate: sumToAnnotation,
    body: combining("sum"),
    gradient: (call) => [
      [
        {
          op: "expand",
          operands: [{ from: "gradient", index: 0 }],
          attributes: { size: operandAt(call, 0).shape },
        },
      ],
    ],
    linear: [[0]],
    sample: (n) => ({ inputs: [[n("a"), n("b")]], attributes: { size: [1, n("b")] } }),
  }),
  extremeIndex("argmax", "largest"),
  extremeIndex("argmin", "smallest"),
];

/**
 * The annotation of `sum_to`, the opposite of `expand`: summed over dims that the given size lacks
 * or has as 1.
 */
function sumToAnnotation(call: CallShapes): string {
  const shape = shapeAt(call, 0);
  const size = listOf(call, "size") ?? [1];
  const skipped = shape.length - size.length;
  const isSummed = (dim: number) =>
    dim < skipped || (size[dim - skipped] === 1 && shape[dim] !== 1);
  const inputs = shape.map((_, dim) => `${letter(dim)}${isSummed(dim) ? "+" : ""}`);
  const outputs = size.map((_, dim) => (isSummed(dim + skipped) ? "1" : letter(dim + skipped)));
  return `${inputs.join(" ")} -> ${outputs.join(" ") || "1"}`;
}

function square(value: Expr): Expr {
  return mul(value, value);
}

/** The index of the first extreme along a dim, as an operator. */
function extremeIndex(name: string, first: "largest" | "smallest"): LibraryEntry {
  return define({
    name,
    parameters: ["x", "dim", "keepdim"],
    tensors: 1,
    annotate: (call) => {
      const kept = flagOf(call, "keepdim");
      const [left = ""] = alongDim(call).split(" -> ");
      const dims = left.split(" ").flatMap((word) => {
        if (!word.endsWith("^")) return [word];
        return kept ? ["1"] : [];
      });
      return `${left} -> ${dims.length === 0 ? "1" : dims.join(" ")}`;
    },
    body: (call) => {
      const x = operandAt(call, 0);
      const dim = dimOf(call, x.shape.length, -1);
      if (isLone(x, dim)) return { tables: [], outputs: [mapped(number(0))] };
      const axis = axisAt(x, dim);
      const value = select(equal(table("rank"), 0), index(axis), 0);
      return {
        tables: [rankOrder(call, axis, first)],
        outputs: [folded("sum", [axis], value)],
      };
    },
    gradient: "none",
    sample: (n) => ({ inputs: [[n("a"), n("b")]], attributes: { dim: 1 } }),
  });
}
