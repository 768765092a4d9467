import { apply, type Expr, mapped, read, told } from "./body/body.ts";
import { add, div, mul, sub } from "./body/expressions.ts";
import { type CallShapes, flagOf, letter, numberOf, shapeAt } from "./call.ts";
import { define } from "./define.ts";
import type { EntrySpec, LibraryEntry, SizeOf } from "./entry.ts";

/**
 * Operands of an update: the parameter (or its master copy), its gradient, then the optimizer's
 * state.
 */
const [weight, given, first, second] = [read(0), read(1), read(2), read(3)];

/** `β·old + (1 − β)·sample`. */
function averaged(beta: number, old: Expr, sample: Expr): Expr {
  return add(mul(beta, old), mul(1 - beta, sample));
}

type Numbers = (name: string, otherwise: number) => number;

/** Learning rate, which an exported step receives at each step. */
function rate(numbers: Numbers): Expr {
  return told(numbers("lr", 0.001), { name: "lr" });
}

/** Gradient plus the gradient of the squared weights, for weight decay through the gradient. */
function decayed(numbers: Numbers): Expr {
  return add(given, mul(numbers("weight_decay", 0), weight));
}

/** Running mean, corrected for its bias towards the initial value 0. */
function corrected(
  mean: Expr,
  name: "correction1" | "correction2",
  beta: number,
  step: number,
): Expr {
  return beta === 0 ? mean : div(mean, told(1 - beta ** step, { name, beta }));
}

/** Adam (Kingma and Ba 2015): the moving averages and the step that they give. */
function adamStep(numbers: Numbers, gradient: Expr) {
  const [beta1, beta2] = [numbers("beta1", 0.9), numbers("beta2", 0.999)];
  const count = numbers("step", 1);
  const mean = averaged(beta1, first, gradient);
  const square = averaged(beta2, second, mul(gradient, gradient));
  const size = apply("sqrt", corrected(square, "correction2", beta2, count));
  const step = div(corrected(mean, "correction1", beta1, count), add(size, numbers("eps", 1e-8)));
  return { mean, square, step };
}

/** An update rule: the new parameter, then its new state in order. */
type Rule = (numbers: Numbers) => readonly Expr[];

/** `master`: the first operand is a copy in higher precision, and the parameter comes from it. */
function optimizer(name: string, states: readonly string[], rule: Rule): LibraryEntry {
  const tensors = ["x", "gradient", ...states];
  const numbers = ["lr", "beta1", "beta2", "eps", "weight_decay", "step", "master"];
  const body: EntrySpec["body"] = (call) => {
    const made = rule((each, otherwise) => numberOf(call, each, otherwise));
    const copies = flagOf(call, "master") ? made.slice(0, 1) : [];
    return { tables: [], outputs: [...copies, ...made].map(mapped) };
  };
  return define({
    name,
    parameters: [...tensors, ...numbers],
    tensors: tensors.length,
    annotate: (call) => updateAnnotation(call, tensors.length),
    body,
    gradient: "none",
    domains: tensors.map((each) => (each === "v" ? { kind: "positive" } : undefined)),
    sample: (n: SizeOf) => ({
      inputs: tensors.map(() => [n("a"), n("b")]),
      attributes: { master: true },
    }),
  });
}

/**
 * The annotation of an update: element by element, with one result per operand but the gradient,
 * and one for a master copy.
 */
function updateAnnotation(call: CallShapes, operands: number): string {
  const dims = shapeAt(call, 0).map((_, dim) => letter(dim));
  const shape = dims.length === 0 ? "1" : dims.join(" ");
  const results = operands - 1 + (flagOf(call, "master") ? 1 : 0);
  const list = (count: number) => Array.from({ length: count }, () => shape).join(", ");
  return `${list(operands)} -> ${list(results)}`;
}

/**
 * Updates of parameters, one operator per optimizer; plain rules of the cited papers, with the
 * usual numbers where nothing is said.
 */
export const optimizers: readonly LibraryEntry[] = [
  optimizer("sgd", [], (numbers) => [sub(weight, mul(rate(numbers), decayed(numbers)))]),
  // Polyak 1964, in the form of Sutskever et al. 2013 without dampening.
  optimizer("momentum", ["m"], (numbers) => {
    const velocity = add(mul(numbers("beta1", 0.9), first), decayed(numbers));
    return [sub(weight, mul(rate(numbers), velocity)), velocity];
  }),
  optimizer("adam", ["m", "v"], (numbers) => {
    const { mean, square, step } = adamStep(numbers, decayed(numbers));
    return [sub(weight, mul(rate(numbers), step)), mean, square];
  }),
  // Loshchilov and Hutter 2019: the decay acts on the parameter, not through its gradient.
  optimizer("adamw", ["m", "v"], (numbers) => {
    const { mean, square, step } = adamStep(numbers, given);
    const decay = mul(rate(numbers), numbers("weight_decay", 0.01));
    return [sub(mul(sub(1, decay), weight), mul(rate(numbers), step)), mean, square];
  }),
];
