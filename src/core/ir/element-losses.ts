// Losses of single elements, by formula.

import { apply, type Expr, number, read } from "./body/body.ts";
import {
  add,
  div,
  equal,
  less,
  lessEqual,
  maximum,
  mul,
  neg,
  select,
  sub,
} from "./body/expressions.ts";
import { type BoundCall, flagOf, numberOf } from "./call.ts";
import { elementLoss } from "./element-loss.ts";
import type { Domain, LibraryEntry } from "./entry.ts";

const [x, t] = [read(0), read(1)];
const difference = sub(x, t);
const size = apply("abs", difference);
const halfSquare = mul(0.5, difference, difference);

const positive: Domain = { kind: "positive" };
const fraction: Domain = { kind: "fraction" };
const sign: Domain = { kind: "sign" };

const log = (value: Expr) => apply("log", value);
const exp = (value: Expr) => apply("exp", value);
/** `log(1 + eˣ)` without overflow. */
const softplus = (value: Expr) =>
  add(maximum(value, 0), log(add(1, exp(neg(apply("abs", value))))));
/** A logarithm that is finite at 0, so that 0 · log 0 is 0; single precision holds the bound. */
const safeLog = (value: Expr) => log(maximum(value, 1e-37));

/** Operand that a call may omit or give as a number. */
function operand(call: BoundCall, at: number, name: string, otherwise = 1): Expr {
  return call.inputs[at] === undefined ? number(numberOf(call, name, otherwise)) : read(at);
}

function weighted(call: BoundCall, value: Expr): Expr {
  return call.inputs[2] === undefined ? value : mul(value, read(2));
}

/** Smooth L1: `½ d²` up to `beta`, then a straight line. */
function smooth(call: BoundCall): Expr {
  const beta = numberOf(call, "beta", 1);
  if (beta === 0) return size;
  return select(less(size, beta), div(halfSquare, beta), sub(size, beta / 2));
}

function huber(call: BoundCall): Expr {
  const delta = numberOf(call, "delta", 1);
  const straight = mul(delta, sub(size, delta / 2));
  return select(lessEqual(size, delta), halfSquare, straight);
}

/** Binary cross entropy: `−t log x − (1 − t) log(1 − x)`, with logarithms of at least −100. */
const least = -100;
const logOfX = maximum(log(x), least);
const logOfRest = maximum(log(sub(1, x)), least);
const binary = neg(add(mul(t, logOfX), mul(sub(1, t), logOfRest)));

function binarySlope(call: BoundCall, at: number): Expr {
  if (at === 0) return weighted(call, div(difference, maximum(mul(sub(1, x), x), 1e-12)));
  return at === 1 ? weighted(call, sub(logOfRest, logOfX)) : number(0);
}

/** Binary cross entropy of logits; targets of 1 are weighted by `pos_weight`. */
function binaryOfLogits(call: BoundCall): Expr {
  const plain = sub(maximum(x, 0), mul(x, t));
  const rest = log(add(1, exp(neg(apply("abs", x)))));
  if (call.inputs[3] === undefined) return weighted(call, add(plain, rest));
  const scale = add(1, mul(sub(read(3), 1), t));
  return weighted(call, add(mul(sub(1, t), x), mul(scale, softplus(neg(x)))));
}

function divergence(call: BoundCall): Expr {
  if (flagOf(call, "log_target")) return mul(exp(t), sub(t, x));
  return mul(t, sub(safeLog(t), x));
}

/** The Poisson loss; if asked, with Stirling's formula for the constant of counts above 1. */
function poisson(call: BoundCall): Expr {
  const ofRate = sub(x, mul(t, log(add(x, numberOf(call, "eps", 1e-8)))));
  const rate = flagOf(call, "log_input", true) ? sub(exp(x), mul(t, x)) : ofRate;
  if (!flagOf(call, "full")) return rate;
  const count = maximum(t, 1);
  const stirling = add(sub(mul(count, log(count)), count), mul(0.5, log(mul(2 * Math.PI, count))));
  return add(rate, select(less(1, t), stirling, 0));
}

function variance(call: BoundCall): Expr {
  return maximum(operand(call, 2, "var"), numberOf(call, "eps", 1e-6));
}

function gaussian(call: BoundCall): Expr {
  const spread = variance(call);
  const loss = mul(0.5, add(log(spread), div(mul(difference, difference), spread)));
  return flagOf(call, "full") ? add(loss, 0.5 * Math.log(2 * Math.PI)) : loss;
}

/** The slope of the Gaussian loss; variances below `eps` pass their gradient on as `eps` would. */
function gaussianSlope(call: BoundCall, at: number): Expr | undefined {
  if (at !== 2) return undefined;
  const spread = variance(call);
  const square = div(mul(difference, difference), mul(spread, spread));
  return mul(0.5, sub(div(1, spread), square));
}

function ofMultipleLabels(call: BoundCall): Expr {
  return weighted(call, add(mul(t, softplus(neg(x))), mul(sub(1, t), softplus(x))));
}

/**
 * Hinge loss: `x` for a target of 1, the margin less `x` (at least 0) for −1, the sum of both for
 * any other target.
 */
function hinge(call: BoundCall): Expr {
  const left = maximum(sub(numberOf(call, "margin", 1), x), 0);
  return add(select(equal(t, 1), 0, left), select(equal(t, -1), 0, x));
}

function ranking(call: BoundCall): Expr {
  return maximum(sub(numberOf(call, "margin", 0), mul(read(2), difference)), 0);
}

export const elementLosses: readonly LibraryEntry[] = [
  elementLoss({
    name: "mse_loss",
    further: ["weight"],
    weighedBy: 2,
    formula: (call) => weighted(call, mul(difference, difference)),
    domains: [undefined, undefined, positive],
  }),
  elementLoss({
    name: "l1_loss",
    further: ["weight"],
    weighedBy: 2,
    formula: (call) => weighted(call, size),
    domains: [undefined, undefined, positive],
  }),
  elementLoss({ name: "smooth_l1_loss", settings: ["beta"], formula: smooth }),
  elementLoss({
    name: "huber_loss",
    further: ["weight"],
    settings: ["delta"],
    formula: (call) => weighted(call, huber(call)),
    domains: [undefined, undefined, positive],
  }),
  elementLoss({
    name: "binary_cross_entropy",
    further: ["weight"],
    formula: (call) => weighted(call, binary),
    slope: binarySlope,
    domains: [fraction, fraction, positive],
  }),
  elementLoss({
    name: "binary_cross_entropy_with_logits",
    further: ["weight", "pos_weight"],
    formula: binaryOfLogits,
    domains: [undefined, undefined, positive, positive],
  }),
  elementLoss({
    name: "kl_div",
    settings: ["log_target"],
    formula: divergence,
    domains: [undefined, positive],
  }),
  elementLoss({
    name: "poisson_nll_loss",
    settings: ["log_input", "full", "eps"],
    formula: poisson,
    domains: [positive, positive],
  }),
  elementLoss({
    name: "gaussian_nll_loss",
    operands: ["input", "target", "var"],
    mayBeNumbers: ["var"],
    settings: ["full", "eps"],
    shorter: 2,
    formula: gaussian,
    slope: gaussianSlope,
    domains: [undefined, undefined, positive],
  }),
  elementLoss({
    name: "soft_margin_loss",
    formula: () => softplus(neg(mul(t, x))),
    domains: [undefined, sign],
  }),
  elementLoss({
    name: "hinge_embedding_loss",
    settings: ["margin"],
    formula: hinge,
    domains: [undefined, sign],
  }),
  elementLoss({
    name: "margin_ranking_loss",
    operands: ["input1", "input2", "target"],
    settings: ["margin"],
    formula: ranking,
    domains: [undefined, undefined, sign],
  }),
  elementLoss({
    name: "multilabel_soft_margin_loss",
    further: ["weight"],
    isOfRows: true,
    formula: ofMultipleLabels,
    domains: [undefined, fraction, positive],
  }),
];
