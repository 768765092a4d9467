import type { Reduction } from "#core/dimops";
import type { Body, Expr } from "./body/body.ts";
import { isNumber } from "./body/expressions.ts";
import type { BoundCall, CallOperand } from "./call.ts";
import { differentiate } from "./differentiate.ts";
import type { Gradient, GradientOperand, GradientStep } from "./entry.ts";
import { gradientAnnotation } from "./gradient-annotation.ts";

/**
 * The gradients of an operator that is a map and a sum: of each operand one operator, a contraction
 * (`einsum`) where the derivative is a product of operands, else the operator's own `_backward`.
 *
 * An index axis that the operand lacks is summed (`+`), so a cut of it leaves the gradient partial:
 * the data-parallel sync and its kin (planner.md §6.1) need no further rule.
 */
export function derivedGradient(name: string, body: Body, call: BoundCall): readonly Gradient[] {
  const value = body.outputs[0]?.value;
  if (value === undefined) throw new Error(`${name} has no output`);
  return call.inputs.map((target, position) => {
    if (target === undefined) return [];
    const derivative = differentiate(value, position);
    if (isNumber(derivative, 0)) return [];
    const product = productOf(derivative);
    const factors = product?.operands ?? [];
    return product !== undefined && covers(call, factors, target)
      ? [contraction(call, position, factors, product.scale)]
      : [backwardStep(name, call, position)];
  });
}

/** `einsum` of the output's gradient with some operands, summed into the shape of one input. */
export function contraction(
  call: BoundCall,
  target: number,
  factors: readonly number[],
  scale = 1,
): GradientStep {
  const operands: readonly GradientOperand[] = [
    { from: "gradient", index: 0 },
    ...factors.map((index) => ({ from: "input", index }) as const),
  ];
  const read = [call.outputs[0], ...factors.map((index) => call.inputs[index])];
  const annotation = gradientAnnotation(read, call.inputs[target], reductionIn(call));
  const passage = factors.length === 0 && scale === 1 ? passageOf(call, target) : undefined;
  if (passage !== undefined) return { ...passage, operands, annotation };
  return { op: "einsum", operands, attributes: { equation: annotation, scale }, annotation };
}

/**
 * The operator that passes a gradient to an operand with the same elements as the result:
 * unchanged, or with its dims in another order. Neither computes anything.
 */
function passageOf(
  call: BoundCall,
  target: number,
): Pick<GradientStep, "op" | "attributes"> | undefined {
  const names = (operand: CallOperand | undefined) =>
    operand?.dims.map(({ identifiers }) => identifiers.join(" ")) ?? [];
  const [from, to] = [names(call.outputs[0]), names(call.inputs[target])];
  if (from.length !== to.length) return undefined;
  if (from.every((name, at) => name === to[at])) return { op: "identity", attributes: {} };
  const dims = to.map((name) => from.indexOf(name));
  const isOrder = !dims.includes(-1) && new Set(dims).size === dims.length;
  return isOrder ? { op: "permute", attributes: { dims } } : undefined;
}

/** The operator's own `_backward` step for one of its inputs. */
export function backwardStep(
  name: string,
  call: BoundCall,
  target: number,
  { readsOutput = false, looksAtAll = false, isOneKernel = false } = {},
): GradientStep {
  const inputs = call.inputs.flatMap((input, index): GradientOperand[] =>
    input === undefined ? [] : [{ from: "input", index }],
  );
  const outputs: readonly GradientOperand[] = readsOutput ? [{ from: "output", index: 0 }] : [];
  const [output] = call.outputs;
  return {
    op: `${name}_backward`,
    operands: [{ from: "gradient", index: 0 }, ...inputs, ...outputs],
    attributes: { ...call.attributes, operand: target },
    annotation: gradientAnnotation(
      [output, ...call.inputs, ...(readsOutput ? [output] : [])],
      call.inputs[target],
      reductionIn(call, looksAtAll),
    ),
    ...(isOneKernel && { isOneKernel }),
  };
}

function reductionIn(call: BoundCall, looksAtAll = false): (identifier: string) => Reduction {
  const reductions = new Map(
    call.axes.map(({ name, reduction }) => [
      name,
      looksAtAll && reduction === "+" ? "^" : reduction,
    ]),
  );
  return (identifier) => reductions.get(identifier) ?? "";
}

/**
 * Whether every identifier of the target is in the output or in a factor, so that all sizes are
 * known.
 */
export function covers(call: BoundCall, factors: readonly number[], target: CallOperand): boolean {
  const operands = [call.outputs[0], ...factors.map((index) => call.inputs[index])];
  const known = new Set(
    operands.flatMap((operand) => operand?.dims.flatMap(({ identifiers }) => identifiers) ?? []),
  );
  return target.dims.every(({ identifiers }) =>
    identifiers.every((name) => name === "1" || known.has(name)),
  );
}

interface Product {
  readonly scale: number;
  readonly operands: readonly number[];
}

/** An expression as a number times operands at their projections, if it is one. */
function productOf(expr: Expr): Product | undefined {
  if (expr.kind === "number") return { scale: expr.value, operands: [] };
  if (expr.kind === "read" && expr.at === undefined) return { scale: 1, operands: [expr.operand] };
  if (expr.kind !== "apply") return undefined;
  const args = expr.args.map(productOf);
  const [a, b] = args;
  if (a === undefined) return undefined;
  if (expr.function === "neg") return { ...a, scale: -a.scale };
  if (expr.function !== "mul" || b === undefined) return undefined;
  return { scale: a.scale * b.scale, operands: [...a.operands, ...b.operands] };
}
