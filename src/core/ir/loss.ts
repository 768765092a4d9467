import { apply, type Body, type Expr, folded, index, mapped, read, table, tabled } from "./body.ts";
import {
  axesBeside,
  axesIn,
  axisAt,
  type BoundCall,
  type CallShapes,
  frozenAt,
  letter,
  operandAt,
  outputAt,
  pointsAlong,
  shapeAt,
  textOf,
} from "./call.ts";
import { define } from "./define.ts";
import type { Backward, Domain, LibraryEntry } from "./entry.ts";
import { add, div, equal, maximum, mul, neg, select, sub } from "./expressions.ts";
import { exponentials } from "./softmax.ts";

/** How the losses of single elements become the result; a mean freezes what it runs over. */
function reductionOf(call: Pick<CallShapes, "attributes">): { kind: string; mark: string } {
  const kind = textOf(call, "reduction", "mean");
  return { kind, mark: kind === "sum" ? "+" : kind === "none" ? "" : "^" };
}

/** Every element of both operands counts alike: `a+ b+, a+ b+ -> 1`. */
function elementAnnotation(call: CallShapes): string {
  const { kind, mark } = reductionOf(call);
  const names = shapeAt(call, 0).map((_, dim) => letter(dim));
  const inputs = names.map((name) => name + mark).join(" ");
  return `${inputs}, ${inputs} -> ${kind === "none" ? names.join(" ") : "1"}`;
}

/** A loss element by element, summed or averaged. */
function elementLoss(
  name: string,
  formula: Expr,
  domains: readonly (Domain | undefined)[] = [],
): LibraryEntry {
  return define({
    name,
    parameters: ["input", "target", "reduction"],
    tensors: 2,
    annotate: elementAnnotation,
    body: (call) => {
      const over = axesBeside(call, outputAt(call, 0));
      const isMean = reductionOf(call).kind === "mean";
      const value = isMean ? div(formula, pointsAlong(call, over)) : formula;
      return { tables: [], outputs: [folded("sum", over, value)] };
    },
    gradient: "derived",
    addsUp: true,
    domains,
    sample: (n) => ({
      inputs: [
        [n("a"), n("b")],
        [n("a"), n("b")],
      ],
      attributes: { reduction: "sum" },
    }),
  });
}

/** Classes stand on dim 1, or on the only one; the target has all other dims. */
function classAnnotation(call: CallShapes): string {
  const { kind, mark } = reductionOf(call);
  const rank = shapeAt(call, 0).length;
  const classes = rank > 1 ? 1 : 0;
  const names = frozenAt(rank, () => false);
  const rest = names.filter((_, dim) => dim !== classes);
  const input = names.map((name, dim) => (dim === classes ? `${name}^` : name + mark));
  const target = rest.map((name) => name + mark).join(" ");
  const output = kind === "none" && rest.length > 0 ? rest.join(" ") : "1";
  return `${input.join(" ")}, ${target === "" ? "1" : target} -> ${output}`;
}

/** The class axis, the sample axes, and what a mean divides by. */
function samplesOf(call: BoundCall) {
  const x = operandAt(call, 0);
  const classes = axisAt(x, x.dims.length > 1 ? 1 : 0);
  const samples = axesIn(call, x).filter((name) => name !== classes);
  const count = reductionOf(call).kind === "mean" ? pointsAlong(call, samples) : 1;
  return { classes, samples, count };
}

/** `log Σ exp x − x[target]` of every sample, then their sum or mean. */
function crossEntropyBody(call: BoundCall): Body {
  const { classes, samples, count } = samplesOf(call);
  const chosen = select(equal(index(classes), read(1)), read(0), 0);
  const loss = sub(add(table("top"), apply("log", table("total"))), table("chosen"));
  const over = samples.filter((name) => !axesIn(call, outputAt(call, 0)).includes(name));
  return {
    tables: [
      ...exponentials(read(0), classes, samples),
      tabled("chosen", samples, folded("sum", [classes], chosen)),
    ],
    outputs: [folded("sum", over, count === 1 ? loss : div(loss, count))],
  };
}

/** `dy · (softmax(x) − onehot(target))`, divided as the loss was. */
const crossEntropyBackward: Backward = {
  targets: [0],
  body: (call) => {
    const { classes, samples, count } = samplesOf(call);
    const share = div(apply("exp", sub(read(1), table("top"))), table("total"));
    const slope = sub(share, equal(index(classes), read(2)));
    const value = mul(read(0), slope);
    return {
      tables: exponentials(read(1), classes, samples),
      outputs: [mapped(count === 1 ? value : div(value, count))],
    };
  },
};

const classIndex: Domain = {
  kind: "index",
  below: (call) => {
    const { shape } = operandAt(call, 0);
    return shape[shape.length > 1 ? 1 : 0] ?? 1;
  },
};

const [x, t] = [read(0), read(1)];
const difference = sub(x, t);

export const losses: readonly LibraryEntry[] = [
  define({
    name: "cross_entropy",
    parameters: ["input", "target", "reduction"],
    tensors: 2,
    annotate: classAnnotation,
    body: crossEntropyBody,
    gradient: crossEntropyBackward,
    addsUp: true,
    domains: [undefined, classIndex],
    sample: (n) => ({ inputs: [[n("n"), n("c")], [n("n")]], attributes: { reduction: "sum" } }),
  }),
  define({
    name: "nll_loss",
    parameters: ["input", "target", "reduction"],
    tensors: 2,
    annotate: classAnnotation,
    body: (call) => {
      const { classes, samples, count } = samplesOf(call);
      const kept = axesIn(call, outputAt(call, 0));
      const over = [classes, ...samples.filter((name) => !kept.includes(name))];
      const value = neg(select(equal(index(classes), t), x, 0));
      return {
        tables: [],
        outputs: [folded("sum", over, count === 1 ? value : div(value, count))],
      };
    },
    gradient: "derived",
    linear: [[0]],
    domains: [undefined, classIndex],
    sample: (n) => ({ inputs: [[n("n"), n("c")], [n("n")]], attributes: {} }),
  }),
  elementLoss("mse_loss", mul(difference, difference)),
  elementLoss("l1_loss", apply("abs", difference)),
  elementLoss(
    "binary_cross_entropy_with_logits",
    add(sub(maximum(x, 0), mul(x, t)), apply("log", add(1, apply("exp", neg(apply("abs", x)))))),
  ),
  elementLoss("kl_div", mul(t, sub(apply("log", t), x)), [undefined, { kind: "positive" }]),
];
