import type { BoundCall } from "./call.ts";
import { contraction, covers } from "./derived-gradient.ts";
import type { Gradient } from "./entry.ts";
import type { Operator } from "./graph.ts";
import { entryOf } from "./library.ts";

/** The gradients of an operator by input position: of its library entry, else of a product. */
export function gradientOf(operator: Operator, call: BoundCall): readonly Gradient[] {
  const entry = operator.entry === undefined ? undefined : entryOf(operator.entry);
  return entry === undefined ? productGradient(call) : entry.gradient(call);
}

/**
 * The gradients of a product of all operands, summed over the identifiers that the result lacks:
 * the meaning of an annotation for a function without a known body. Empty for an operand whose
 * gradient no contraction expresses.
 */
function productGradient(call: BoundCall): readonly Gradient[] {
  if (!isNamed(call)) return call.inputs.map(() => []);
  const positions = call.inputs.flatMap((input, at) => (input === undefined ? [] : [at]));
  return call.inputs.map((target, at) => {
    const others = positions.filter((each) => each !== at);
    return target !== undefined && covers(call, others, target)
      ? [contraction(call, at, others)]
      : [];
  });
}

/**
 * Whether every dim consists of index axes. A number is no index axis, and no contraction runs over
 * it.
 */
function isNamed({ axes, inputs, outputs }: BoundCall): boolean {
  const names = new Set(axes.map(({ name }) => name));
  const operands = [...inputs, ...outputs].filter((operand) => operand !== undefined);
  const identifiers = operands.flatMap(({ dims }) => dims.flatMap((dim) => dim.identifiers));
  return identifiers.every((name) => name === "1" || names.has(name));
}
