import { type Body, folded, mapped, read, table, tabled } from "./body/body.ts";
import { add, mul } from "./body/expressions.ts";
import {
  axesBeside,
  type BoundCall,
  batchDims,
  type CallShapes,
  leading,
  numberOf,
  outputAt,
  pointsOf,
  shapeAt,
  textOf,
} from "./call.ts";
import { define } from "./define.ts";
import { contraction } from "./derived-gradient.ts";
import type { LibraryEntry } from "./entry.ts";

/** The product of all operands, summed over the axes that the result lacks. */
function contracted(call: BoundCall, scale = 1): Body {
  const factors = call.inputs.flatMap((input, at) => (input === undefined ? [] : [read(at)]));
  const over = axesBeside(call, outputAt(call, 0));
  return { tables: [], outputs: [folded("sum", over, mul(...factors, scale))] };
}

/**
 * Annotation of a matrix product: `k+, k+ -> 1`, `m k+, k+ n -> m n`, or batched in one or both
 * operands.
 */
function matmulAnnotation(call: CallShapes): string {
  const [x, y] = [shapeAt(call, 0), shapeAt(call, 1)];
  const [a, b] = [x.length, y.length];
  if (a === 1 && b === 1) return "k+, k+ -> 1";
  if (a === 2 && b === 2) return "m k+, k+ n -> m n";
  const [left, right, batch] = batchDims(x, y);
  const behind = (names: readonly string[], dims: string) => [...names, dims].join(" ");
  if (a === 1) return `k+, ${behind(right, "k+ n")} -> ${behind(batch, "n")}`;
  if (b === 1) return `${behind(left, "m k+")}, k+ -> ${behind(batch, "m")}`;
  return `${behind(left, "m k+")}, ${behind(right, "k+ n")} -> ${behind(batch, "m n")}`;
}

function linearAnnotation(call: CallShapes): string {
  const batch = leading(shapeAt(call, 0).length - 1);
  return call.inputs.length > 2
    ? `${batch} k^, n k^, n -> ${batch} n`
    : `${batch} k+, n k+ -> ${batch} n`;
}

/** Two operands contracted, plus a third: the sum is complete before the third is added. */
function withAddend(call: BoundCall, factors: readonly [number, number], addend: number): Body {
  const axes = pointsOf(call, outputAt(call, 0));
  const [a, b] = factors;
  const product = folded("sum", axesBeside(call, outputAt(call, 0)), mul(read(a), read(b)));
  return {
    tables: [tabled("product", axes, product)],
    outputs: [mapped(add(table("product"), read(addend)))],
  };
}

/**
 * `b m k, b k n -> b m n`; `bmk,bkn->bmn` is the same. Identifiers that the result lacks are
 * summed.
 */
function einsumAnnotation(call: CallShapes): string {
  const equation = textOf(call, "equation", "a -> a");
  const [left = "", right = ""] = equation.split("->").map((side) => side.trim());
  const terms = [...left.split(","), right].map((term) => term.trim());
  const isSpaced = terms.some((term) => /[\s+^()]/.test(term)) || !/[a-zA-Z]{2}/.test(equation);
  const spaced = (side: string) =>
    isSpaced
      ? side
      : side
          .split(",")
          .map((shape) => [...shape.trim()].join(" "))
          .join(", ");
  const kept = new Set(spaced(right).match(/[\p{XID_Continue}]+/gu));
  const inputs = spaced(left).replace(
    /([\p{XID_Start}_]\p{XID_Continue}*)([+^]?)/gu,
    (_, name, mark) => (mark === "" && !kept.has(name) ? `${name}+` : `${name}${mark}`),
  );
  return `${inputs} -> ${spaced(right) === "" ? "1" : spaced(right)}`;
}

export const linearAlgebra: readonly LibraryEntry[] = [
  define({
    name: "matmul",
    aliases: ["mm", "bmm"],
    parameters: ["x", "y"],
    annotate: matmulAnnotation,
    body: contracted,
    gradient: "derived",
    linear: [[0], [1]],
    sample: (n) => ({
      inputs: [
        [n("b"), n("m"), n("k")],
        [n("k"), n("n")],
      ],
      attributes: {},
    }),
  }),
  define({
    name: "linear",
    parameters: ["x", "weight", "bias"],
    required: 2,
    annotate: linearAnnotation,
    body: (call) => (call.inputs[2] === undefined ? contracted(call) : withAddend(call, [0, 1], 2)),
    gradient: (call) => [
      [contraction(call, 0, [1])],
      [contraction(call, 1, [0])],
      call.inputs[2] === undefined ? [] : [contraction(call, 2, [])],
    ],
    linear: [
      [0, 2],
      [1, 2],
    ],
    sample: (n) => ({
      inputs: [[n("b"), n("k")], [n("n"), n("k")], [n("n")]],
      attributes: {},
    }),
  }),
  define({
    name: "einsum",
    parameters: ["x", "y", "z"],
    required: 1,
    leading: "equation",
    annotate: einsumAnnotation,
    body: (call) => contracted(call, numberOf(call, "scale", 1)),
    gradient: "derived",
    linear: [[0], [1], [2]],
    sample: (n) => ({
      inputs: [
        [n("b"), n("i"), n("j")],
        [n("b"), n("j"), n("k")],
      ],
      attributes: { equation: "b i j, b j k -> b i k" },
    }),
  }),
  define({
    name: "outer",
    parameters: ["x", "y"],
    annotate: () => "m, n -> m n",
    body: contracted,
    gradient: "derived",
    linear: [[0], [1]],
    sample: (n) => ({ inputs: [[n("m")], [n("n")]], attributes: {} }),
  }),
  define({
    name: "addmm",
    parameters: ["input", "x", "y"],
    annotate: (call) =>
      shapeAt(call, 0).length === 1 ? "n, m k^, k^ n -> m n" : "m n, m k^, k^ n -> m n",
    body: (call) => withAddend(call, [1, 2], 0),
    gradient: (call) => [
      [contraction(call, 0, [])],
      [contraction(call, 1, [2])],
      [contraction(call, 2, [1])],
    ],
    linear: [
      [0, 1],
      [0, 2],
    ],
    sample: (n) => ({
      inputs: [
        [n("m"), n("n")],
        [n("m"), n("k")],
        [n("k"), n("n")],
      ],
      attributes: {},
    }),
  }),
];
