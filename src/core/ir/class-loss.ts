// Losses of samples with one value per class, such as cross entropy.

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
import { add, div, equal, mul, neg, select, sub } from "./body/expressions.ts";
import {
  axesIn,
  axisAt,
  type BoundCall,
  type CallShapes,
  frozenAt,
  numberOf,
  operandAt,
  pointsAlong,
  shapeAt,
} from "./call.ts";
import { define } from "./define.ts";
import { backwardStep } from "./derived-gradient.ts";
import type { Domain, LibraryEntry } from "./entry.ts";
import { addedAlong, divided, markOf, reductionOf, sharesOf } from "./loss-reduction.ts";
import { exponentials } from "./softmax.ts";

/** The dim of the classes: dim 1, or the only one. */
function classDim(rank: number): number {
  return rank > 1 ? 1 : 0;
}

/** Whether the target holds a probability per class (it has the input's shape) and not a class index. */
function isOfShares({ inputs }: CallShapes): boolean {
  const [input, target] = inputs;
  if (input === undefined || input.length === 0 || input.length !== target?.length) return false;
  const [all, own] = [input, target].map((shape) => shape[classDim(shape.length)]);
  return all === undefined || own === undefined || all === own;
}

function hasShares(call: BoundCall): boolean {
  const x = operandAt(call, 0);
  const classes = axisAt(x, classDim(x.dims.length));
  return axesIn(call, operandAt(call, 1)).includes(classes);
}

/**
 * The annotation of a class loss; a target of class indices has all dims of the input but that of
 * the classes.
 */
function classAnnotation(call: CallShapes, hasShares = false): string {
  const mark = markOf(call);
  const rank = shapeAt(call, 0).length;
  const classes = classDim(rank);
  const names = frozenAt(rank, () => false);
  const rest = names.filter((_, dim) => dim !== classes);
  const input = names.map((name, dim) => (dim === classes ? `${name}^` : name + mark)).join(" ");
  const named = rest.map((name) => name + mark).join(" ") || "1";
  const weights = call.inputs
    .slice(2)
    .map((shape) => (shape === undefined ? "?" : `${names[classes]}^`));
  const output = mark === "" && rest.length > 0 ? rest.join(" ") : "1";
  return `${[input, hasShares ? input : named, ...weights].join(", ")} -> ${output}`;
}

/** Call of a class loss, as its body reads it. */
interface ClassCall {
  readonly classes: string;
  readonly samples: readonly string[];
  readonly input: Expr;
  readonly target: Expr;
  /** The weight of a class. */
  readonly weight: Expr;
  /** Whether a sample is left out of the loss; `undefined` where every sample counts. */
  readonly isLeftOut: Expr | undefined;
}

/**
 * @param first position of the first operand of the loss; in a gradient's call the gradient
 * precedes it
 */
function classCall(call: BoundCall, first: number): ClassCall {
  const x = operandAt(call, 0);
  const classes = axisAt(x, classDim(x.dims.length));
  const target = read(first + 1);
  const ignored = numberOf(call, "ignore_index", Number.NaN);
  return {
    classes,
    samples: axesIn(call, x).filter((name) => name !== classes),
    input: read(first),
    target,
    weight: call.inputs[2] === undefined ? number(1) : read(first + 2),
    isLeftOut: Number.isNaN(ignored) || hasShares(call) ? undefined : equal(target, ignored),
  };
}

/** Value of a sample that counts; 0 for the others. */
function counted({ isLeftOut }: ClassCall, value: Expr): Expr {
  return isLeftOut === undefined ? value : select(isLeftOut, 0, value);
}

/** A value at the class that the target names, 0 at all others. */
function atTarget({ classes, target }: ClassCall, value: Expr): Expr {
  return select(equal(index(classes), target), value, 0);
}

/**
 * The divisor of a mean: the number of samples; or, where classes have weights or samples are left
 * out, a table with the total weight of the samples that count.
 */
function divisorOf(
  call: BoundCall,
  own: ClassCall,
  over: readonly string[],
  weighs: Expr,
): { readonly divisor: Expr; readonly tables: readonly Table[] } {
  const isCounted = call.inputs[2] !== undefined || own.isLeftOut !== undefined;
  if (reductionOf(call) !== "mean" || !isCounted || hasShares(call))
    return { divisor: number(sharesOf(call, own.samples)), tables: [] };
  const count = tabled("count", [], folded("sum", over, counted(own, weighs)));
  return { divisor: table("count"), tables: [count] };
}

/** The cross entropy of one sample with its slopes. */
interface SampleLoss {
  readonly tables: readonly Table[];
  readonly loss: Expr;
  /** Derivative by the input, at a class. */
  readonly slope: Expr;
  /** Derivative by the target, at a class. */
  readonly targetSlope?: Expr;
  readonly divisor: Expr;
}

const logTotal = add(table("top"), apply("log", table("total")));

function shareOf({ input }: ClassCall): Expr {
  return div(apply("exp", sub(input, table("top"))), table("total"));
}

/**
 * Cross entropy with a class index t: `w[t] · (log Σ exp x − x[t])`; with label smoothing also a
 * share of `Σ w · (log Σ exp x − x)` over the classes.
 */
function namedLoss(call: BoundCall, own: ClassCall): SampleLoss {
  const { classes, samples, input, weight } = own;
  const isWeighted = call.inputs[2] !== undefined;
  const size = pointsAlong(call, [classes]);
  const smoothing = numberOf(call, "label_smoothing", 0);
  const [kept, spread] = [number(1 - smoothing), smoothing / size];
  const scale = isWeighted ? table("scale") : number(1);
  const mass = isWeighted ? table("mass") : number(size);
  const over = (value: Expr) => folded("sum", [classes], value);
  const { divisor, tables } = divisorOf(call, own, samples, scale);
  const nearest = mul(scale, sub(logTotal, table("chosen")));
  const overall = sub(mul(mass, logTotal), table("spread"));
  const slope = mul(scale, sub(shareOf(own), equal(index(classes), own.target)));
  const overallSlope = sub(mul(mass, shareOf(own)), weight);
  const isSmooth = smoothing !== 0;
  const both = (a: Expr, b: Expr) => (isSmooth ? add(mul(kept, a), mul(spread, b)) : a);
  return {
    tables: [
      ...exponentials(input, classes, samples),
      tabled("chosen", samples, over(atTarget(own, input))),
      ...(isWeighted ? [tabled("scale", samples, over(atTarget(own, weight)))] : []),
      ...(isSmooth ? [tabled("spread", samples, over(mul(weight, input)))] : []),
      ...(isSmooth && isWeighted ? [tabled("mass", [], over(weight))] : []),
      ...tables,
    ],
    loss: counted(own, both(nearest, overall)),
    slope: counted(own, both(slope, overallSlope)),
    divisor,
  };
}

/**
 * Cross entropy with class probabilities: `Σ q · (log Σ exp x − x)` over the classes, q smoothed
 * and weighted.
 */
function sharedLoss(call: BoundCall, own: ClassCall): SampleLoss {
  const { classes, samples, input, target, weight } = own;
  const smoothing = numberOf(call, "label_smoothing", 0);
  const spread = smoothing / pointsAlong(call, [classes]);
  const share = smoothing === 0 ? target : add(mul(1 - smoothing, target), number(spread));
  const weighed = mul(share, weight);
  const over = (value: Expr) => folded("sum", [classes], value);
  return {
    tables: [
      ...exponentials(input, classes, samples),
      tabled("mass", samples, over(weighed)),
      tabled("crossed", samples, over(mul(weighed, input))),
    ],
    loss: sub(mul(table("mass"), logTotal), table("crossed")),
    slope: sub(mul(table("mass"), shareOf(own)), weighed),
    targetSlope: mul(number(1 - smoothing), weight, sub(logTotal, input)),
    divisor: number(sharesOf(call, samples)),
  };
}

function sampleLoss(call: BoundCall, own: ClassCall): SampleLoss {
  return hasShares(call) ? sharedLoss(call, own) : namedLoss(call, own);
}

function crossEntropyBody(call: BoundCall): Body {
  const own = classCall(call, 0);
  const { tables, loss, divisor } = sampleLoss(call, own);
  const over = addedAlong(call, own.samples);
  return { tables, outputs: [folded("sum", over, divided(loss, divisor))] };
}

function crossEntropySlope(call: BoundCall, target: number): Body {
  const { tables, slope, targetSlope, divisor } = sampleLoss(call, classCall(call, 1));
  const own = target === 1 ? (targetSlope ?? number(0)) : slope;
  return { tables, outputs: [mapped(divided(mul(read(0), own), divisor))] };
}

function negativeLogBody(call: BoundCall): Body {
  const own = classCall(call, 0);
  const over = [own.classes, ...addedAlong(call, own.samples)];
  const all = [own.classes, ...own.samples];
  const { divisor, tables } = divisorOf(call, own, all, atTarget(own, own.weight));
  const value = neg(counted(own, atTarget(own, mul(own.weight, own.input))));
  return { tables, outputs: [folded("sum", over, divided(value, divisor))] };
}

function negativeLogSlope(call: BoundCall): Body {
  const own = classCall(call, 1);
  const all = [own.classes, ...own.samples];
  const { divisor, tables } = divisorOf(call, own, all, atTarget(own, own.weight));
  const value = mul(read(0), neg(counted(own, atTarget(own, own.weight))));
  return { tables, outputs: [mapped(divided(value, divisor))] };
}

const classIndex: Domain = {
  kind: "index",
  below: (call) => {
    const { shape } = operandAt(call, 0);
    return hasShares(call) ? undefined : (shape[classDim(shape.length)] ?? 1);
  },
};

const domains = [undefined, classIndex, { kind: "positive" }] as const;

export const classLosses: readonly LibraryEntry[] = [
  define({
    name: "cross_entropy",
    parameters: ["input", "target", "weight", "ignore_index", "reduction", "label_smoothing"],
    tensors: 3,
    required: 2,
    annotate: (call) => classAnnotation(call, isOfShares(call)),
    body: crossEntropyBody,
    gradient: (call) =>
      call.inputs.map((_, at) =>
        at === 0 || (at === 1 && hasShares(call)) ? [backwardStep("cross_entropy", call, at)] : [],
      ),
    backward: { targets: [0, 1], body: crossEntropySlope },
    addsUp: true,
    domains,
    sample: (n) => ({ inputs: [[n("n"), n("c")], [n("n")]], attributes: { reduction: "sum" } }),
  }),
  define({
    name: "nll_loss",
    parameters: ["input", "target", "weight", "ignore_index", "reduction"],
    tensors: 3,
    required: 2,
    annotate: (call) => classAnnotation(call),
    body: negativeLogBody,
    gradient: { targets: [0], body: negativeLogSlope },
    addsUp: true,
    linear: [[0]],
    domains,
    sample: (n) => ({ inputs: [[n("n"), n("c")], [n("n")]], attributes: {} }),
  }),
];
