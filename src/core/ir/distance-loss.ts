// Losses that compare rows by distance or angle.

import {
  apply,
  type Body,
  type Expr,
  folded,
  number,
  read,
  type Table,
  table,
  tabled,
} from "./body/body.ts";
import {
  add,
  div,
  equal,
  less,
  maximum,
  minimum,
  mul,
  neg,
  select,
  sub,
} from "./body/expressions.ts";
import {
  axesBeside,
  axesIn,
  type BoundCall,
  broadcastAnnotation,
  type CallShapes,
  flagOf,
  numberOf,
  operandAt,
  outputAt,
} from "./call.ts";
import { define } from "./define.ts";
import type { LibraryEntry } from "./entry.ts";
import { markOf, sharesOf } from "./loss-reduction.ts";

/**
 * The annotation of a loss over rows: the last dim of the first `rows` operands is the row, all
 * other dims are samples.
 */
function rowAnnotation(call: CallShapes, rows: number): string {
  const inputs = call.inputs.slice(0, rows).map((shape) => shape ?? [undefined, undefined]);
  const [read = "", written = ""] = broadcastAnnotation({ ...call, inputs }).split(" -> ");
  const names = written.split(" ");
  const samples = names.slice(0, -1);
  const mark = markOf(call);
  const marked = (word: string) => {
    if (!names.includes(word)) return word;
    return word + (samples.includes(word) ? mark : "^");
  };
  const text = (words: readonly string[]) => words.map(marked).join(" ") || "1";
  const texts = read.split(", ").map((shape) => text(shape.split(" ")));
  const others = call.inputs.slice(rows).map(() => text(samples));
  return `${[...texts, ...others].join(", ")} -> ${(mark === "" && samples.join(" ")) || "1"}`;
}

/** The axis of the rows, the axes of the samples, and the divisor of a mean. */
function rowsIn(call: BoundCall, rows: number) {
  const operands = Array.from({ length: rows }, (_, at) => operandAt(call, at));
  const along = operands.flatMap(({ dims }) => dims.at(-1)?.identifiers ?? []);
  const all = new Set(operands.flatMap((operand) => axesIn(call, operand)));
  const inner = [...all].filter((name) => along.includes(name));
  const samples = [...all].filter((name) => !along.includes(name));
  return { inner, samples, count: sharesOf(call, samples) };
}

/** The result from the losses of samples: their sum or mean, or one for each. */
function resultOf(call: BoundCall, tables: readonly Table[], loss: Expr, count: number): Body {
  const over = axesBeside(call, outputAt(call, 0)).filter((name) => {
    return tables.some(({ axes }) => axes.some(({ axis }) => axis === name));
  });
  return { tables, outputs: [folded("sum", over, count === 1 ? loss : div(loss, count))] };
}

/**
 * The gradient of an operand: the slope of the loss, summed over the axes that the operand lacks.
 */
function slopeBody(
  call: BoundCall,
  target: number,
  tables: readonly Table[],
  slope: Expr,
  count: number,
): Body {
  const over = axesBeside(call, operandAt(call, target));
  const value = mul(read(0), slope);
  return { tables, outputs: [folded("sum", over, count === 1 ? value : div(value, count))] };
}

/** Lower bound of a squared length, so that no length is 0. */
const shortest = 1e-12;

/** The cosine of the angle between two rows, from tables of their products. */
const cosine = div(
  table("dot"),
  apply("sqrt", mul(add(table("left"), shortest), add(table("right"), shortest))),
);

function cosineTables(call: BoundCall, first: number): readonly Table[] {
  const { inner, samples } = rowsIn(call, 2);
  const [a, b] = [read(first), read(first + 1)];
  const over = (value: Expr) => folded("sum", inner, value);
  return [
    tabled("dot", samples, over(mul(a, b))),
    tabled("left", samples, over(mul(a, a))),
    tabled("right", samples, over(mul(b, b))),
  ];
}

/**
 * `1 − cos` for rows that belong together (target 1); for others (−1) the cosine's excess over the
 * margin.
 */
function cosineLoss(call: BoundCall): Body {
  const { count } = rowsIn(call, 2);
  const above = maximum(sub(cosine, numberOf(call, "margin", 0)), 0);
  const [together, apart] = [equal(read(2), 1), equal(read(2), -1)];
  const loss = select(together, sub(1, cosine), select(apart, above, 0));
  return resultOf(call, cosineTables(call, 0), loss, count);
}

function cosineSlope(call: BoundCall, target: number): Body {
  const { count } = rowsIn(call, 2);
  const [own, other] = [read(target + 1), read(2 - target)];
  const length = add(table(target === 0 ? "left" : "right"), shortest);
  const root = apply("sqrt", mul(add(table("left"), shortest), add(table("right"), shortest)));
  const byRow = sub(div(other, root), div(mul(cosine, own), length));
  const isAbove = less(numberOf(call, "margin", 0), cosine);
  const byCosine = select(equal(read(3), 1), -1, select(equal(read(3), -1), isAbove, 0));
  return slopeBody(call, target, cosineTables(call, 1), mul(byCosine, byRow), count);
}

/** The distance of two rows, from a table of its power, and its slope by the first row. */
interface Distance {
  readonly tables: readonly Table[];
  readonly value: Expr;
  readonly slope: Expr;
}

function distanceOf(call: BoundCall, name: string, a: Expr, b: Expr): Distance {
  const { inner, samples } = rowsIn(call, 3);
  const p = numberOf(call, "p", 2);
  const apart = add(sub(a, b), number(numberOf(call, "eps", 1e-6)));
  const [size, sign] = [apply("abs", apart), apply("sign", apart)];
  const whole = table(name);
  const sum = (value: Expr) => [tabled(name, samples, folded("sum", inner, value))];
  if (p === 1) return { tables: sum(size), value: whole, slope: sign };
  if (p === 2) {
    const root = apply("sqrt", whole);
    return { tables: sum(mul(apart, apart)), value: root, slope: div(apart, root) };
  }
  if (!Number.isFinite(p)) {
    // Equal extremes share the gradient equally.
    const [isLargest, ties] = [equal(size, whole), `${name}_ties`];
    const tables = [
      tabled(name, samples, folded("max", inner, size)),
      tabled(ties, samples, folded("sum", inner, isLargest)),
    ];
    return { tables, value: whole, slope: div(mul(sign, isLargest), table(ties)) };
  }
  const root = apply("pow", whole, number(1 / p));
  const lower = mul(sign, apply("pow", size, number(p - 1)));
  const slope = div(lower, apply("pow", root, number(p - 1)));
  return { tables: sum(apply("pow", size, number(p))), value: root, slope };
}

/** Distances of a triplet: anchor to positive, anchor to negative, and positive to negative. */
function tripletOf(call: BoundCall, first: number) {
  const [anchor, positive, negative] = [read(first), read(first + 1), read(first + 2)];
  const near = distanceOf(call, "near", anchor, positive);
  const far = distanceOf(call, "far", anchor, negative);
  const other = distanceOf(call, "other", positive, negative);
  const isSwapped = flagOf(call, "swap");
  const beyond = isSwapped ? minimum(far.value, other.value) : far.value;
  const tables = [...near.tables, ...far.tables, ...(isSwapped ? other.tables : [])];
  const loss = add(sub(near.value, beyond), number(numberOf(call, "margin", 1)));
  const usesOther = isSwapped ? less(other.value, far.value) : number(0);
  return { near, far, other, tables, loss, usesOther };
}

function tripletLoss(call: BoundCall): Body {
  const { tables, loss } = tripletOf(call, 0);
  return resultOf(call, tables, maximum(loss, 0), rowsIn(call, 3).count);
}

function tripletSlope(call: BoundCall, target: number): Body {
  const { near, far, other, tables, loss, usesOther } = tripletOf(call, 1);
  const ofFar = mul(sub(1, usesOther), far.slope);
  const ofOther = mul(usesOther, other.slope);
  const slopes = [sub(near.slope, ofFar), neg(add(near.slope, ofOther)), add(ofFar, ofOther)];
  const slope = mul(less(0, loss), slopes[target] ?? number(0));
  return slopeBody(call, target, tables, slope, rowsIn(call, 3).count);
}

export const distanceLosses: readonly LibraryEntry[] = [
  define({
    name: "cosine_embedding_loss",
    parameters: ["input1", "input2", "target", "margin", "reduction"],
    tensors: 3,
    annotate: (call) => rowAnnotation(call, 2),
    body: cosineLoss,
    gradient: { targets: [0, 1], body: cosineSlope },
    addsUp: true,
    domains: [undefined, undefined, { kind: "sign" }],
    sample: (n) => ({
      inputs: [[n("a"), n("b")], [n("a"), n("b")], [n("a")]],
      attributes: { reduction: "sum" },
    }),
  }),
  define({
    name: "triplet_margin_loss",
    parameters: ["anchor", "positive", "negative", "margin", "p", "eps", "swap", "reduction"],
    tensors: 3,
    annotate: (call) => rowAnnotation(call, 3),
    body: tripletLoss,
    gradient: { targets: [0, 1, 2], body: tripletSlope },
    addsUp: true,
    sample: (n) => ({
      inputs: [
        [n("a"), n("b")],
        [n("a"), n("b")],
        [n("a"), n("b")],
      ],
      attributes: { reduction: "sum" },
    }),
  }),
];
