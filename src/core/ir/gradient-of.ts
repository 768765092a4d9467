import type { BoundCall } from "./call.ts";
import { derivedGradient } from "./derived-gradient.ts";
import type { Gradient } from "./entry.ts";
import type { Operator } from "./graph.ts";
import { entryOf } from "./library.ts";
import { productBody } from "./operator-body.ts";

/**
 * The gradients of an operator by input position: of its library entry, else of the product of its
 * operands where that product has one made of contractions.
 */
export function gradientOf(operator: Operator, call: BoundCall): readonly Gradient[] {
  const entry = operator.entry === undefined ? undefined : entryOf(operator.entry);
  if (entry !== undefined) return entry.gradient(call);
  const derived = derivedGradient(operator.op, productBody(call), call);
  return derived.map((steps) => (steps.every(({ op }) => entryOf(op)) ? steps : []));
}
