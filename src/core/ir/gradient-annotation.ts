import type { Reduction } from "#core/dimops";
import type { CallOperand } from "./call.ts";
import type { OperandDim } from "./graph.ts";

type Dims = Pick<CallOperand, "dims">;

/**
 * Annotation of a gradient operator, in the identifiers of its forward operator. Frozen identifiers
 * stay frozen; those missing in the result are summed. `?` marks an operand that is no tensor.
 */
export function gradientAnnotation(
  inputs: readonly (Dims | undefined)[],
  target: Dims | undefined,
  reductionOf: (identifier: string) => Reduction,
): string {
  const kept = new Set(target?.dims.flatMap(({ identifiers }) => identifiers));
  const word = (name: string) => {
    if (/^\p{Nd}/u.test(name)) return name;
    if (reductionOf(name) === "^") return `${name}^`;
    return kept.has(name) ? name : `${name}+`;
  };
  const shape = (operand: Dims | undefined) =>
    operand === undefined ? "?" : shapeText(operand.dims, word);
  return `${inputs.map(shape).join(", ")} -> ${shape(target)}`;
}

function shapeText(dims: readonly OperandDim[], word: (name: string) => string): string {
  if (dims.length === 0) return "1";
  const texts = dims.map(({ identifiers }) => {
    const words = identifiers.map(word).join(" ");
    return identifiers.length > 1 ? `(${words})` : words;
  });
  return texts.join(" ");
}
