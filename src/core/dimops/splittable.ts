import type { Identifier } from "./annotation.ts";
import type { Bound } from "./bind.ts";
import { identifiersOf, innerNames } from "./freeze.ts";
import { annotatedShape, leadingIdentifier } from "./index-axes.ts";

/**
 * Whether an identifier may be cut into so many pieces, and where one would name the cut.
 *
 * Reasons against it: `unknown` (not in the annotation), `number` (a fixed size), `inner` (behind
 * another identifier in some bracket, which freezes it everywhere), `frozen` (marked `^`),
 * `hidden` (no dim is led by it), `indivisible` (`size` is no multiple of the count).
 */
export type Splittability =
  | {
      readonly kind: "legal";
      readonly operand: number;
      readonly dim: number;
      readonly size: number;
    }
  | {
      readonly kind: "refused";
      readonly reason: "unknown" | "number" | "inner" | "frozen" | "hidden" | "indivisible";
      readonly size?: number;
    };

/**
 * Whether `identifier` may be cut into `count` pieces, `count` ≥ 1.
 *
 * `operand` counts on from the inputs into the outputs. Transform rules are not considered.
 */
export function splittable(bound: Bound, identifier: string, count: number): Splittability {
  const found = identifiersOf(bound.annotation).find(({ name }) => name === identifier);
  if (found === undefined) return { kind: "refused", reason: "unknown" };
  const size = bound.sizes.get(identifier) ?? 0;
  if (found.reduction === "^") return { kind: "refused", reason: reasonOf(bound, found), size };
  const place = placeOf(bound, identifier, count);
  if (place === undefined) return { kind: "refused", reason: "hidden", size };
  if (size % count !== 0) return { kind: "refused", reason: "indivisible", size };
  return { kind: "legal", ...place, size };
}

function reasonOf(bound: Bound, { kind, name }: Identifier): "number" | "inner" | "frozen" {
  if (kind === "number") return "number";
  return innerNames(bound.annotation).has(name) ? "inner" : "frozen";
}

function placeOf(
  bound: Bound,
  identifier: string,
  count: number,
): { readonly operand: number; readonly dim: number } | undefined {
  const total = bound.annotation.inputs.length + bound.annotation.outputs.length;
  const operands = Array.from({ length: total }, (_, operand) => operand);
  const places = operands.flatMap((operand) => {
    const shape = annotatedShape(bound, operand);
    const isPlain = bound.inputs[operand]?.kind === "plain";
    const dims = shape === undefined || shape.ignored || isPlain ? [] : shape.dims;
    const dim = dims.findIndex((each) => {
      return leadingIdentifier(each, bound.sizes, count)?.name === identifier;
    });
    return dim < 0 ? [] : [{ operand, dim }];
  });
  return places[0];
}
