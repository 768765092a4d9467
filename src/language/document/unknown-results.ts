import type { OperatorCall } from "./operator-call.ts";
import { freshSize } from "./size.ts";
import type { PlainOperand, TracedOperator, TracedTensor } from "./traced.ts";

/** Whether an operand is a tensor of which not even the rank is known. */
export function isUnknownTensor(operand: TracedTensor | PlainOperand): boolean {
  return operand.kind === "tensor" && operand.isUnknown === true;
}

/** Whether nobody knows the shapes of what a call gives. */
export function hasUnknownResults({ inputs, results }: OperatorCall): boolean {
  return results === "unknown" || (results !== "known" && inputs.some(isUnknownTensor));
}

/** Whether the shapes of what a call gives follow from a guess. */
export function hasGuessedResults({
  inputs,
  results,
}: Pick<TracedOperator, "inputs"> & { readonly results: OperatorCall["results"] }): boolean {
  if (results !== undefined) return results === "guessed";
  return inputs.some((each) => each.kind === "tensor" && each.isGuessed === true);
}

/**
 * A call of which nobody knows what comes out: it runs whole on every device, and nothing is
 * claimed of its results.
 *
 * @param count how many results it has
 */
export function withUnknownResults(call: OperatorCall, count: number): OperatorCall {
  const { op, stem, inputs, typedLike, strategy, primitive, span } = call;
  return {
    ...{ op, stem, inputs, span, results: "unknown", integers: {}, linear: [] },
    annotations: [{ text: frozenAnnotation(inputs, count) }],
    ...(typedLike !== undefined && { typedLike }),
    ...(strategy !== undefined && { strategy }),
    ...(primitive !== undefined && { primitive }),
    reducesInside: false,
    isReplicated: true,
  };
}

/** Every dim frozen; a tensor of unknown shape is written as `?`, which says nothing of it. */
function frozenAnnotation(inputs: OperatorCall["inputs"], count: number): string {
  let used = 0;
  const shapes = inputs.map((operand) => {
    if (operand.kind === "plain" || isUnknownTensor(operand)) return "?";
    operand.shape ??= [freshSize(), freshSize()];
    return operand.shape.map(() => `${nameAt(used++)}^`).join(" ") || "1";
  });
  return `${shapes.join(", ")} -> ${Array.from({ length: count }, () => "?").join(", ")}`;
}

const letters = "abcdefghijklmnopqrstuvwxyz";

function nameAt(index: number): string {
  return letters[index] ?? `d${index}`;
}
