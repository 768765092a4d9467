import { type LibraryEntry, library } from "#core/ir";
import type { Value } from "#language/python";
import { followsAssumed } from "../trace/follows.ts";
import { type Assumed, assumedOf, maybeInput } from "./assumed.ts";
import type { TensorCalls } from "./tensor-calls.ts";

/**
 * An operand that may be a number or a tensor, so that the result is unknown. A plain unknown name
 * counts as one beside a tensor with given sizes, where numbers are allowed; in texts without sizes
 * it is an input.
 */
export function unknownOperand(
  words: Pick<TensorCalls, "tensorOf">,
  entry: LibraryEntry,
  operands: readonly Value[],
): Assumed | undefined {
  if (operands.every((value) => assumedOf(value) === undefined)) return undefined;
  const tensors = operands.flatMap((value) => words.tensorOf(value) ?? []);
  const isBeside = broadcasts(entry) && tensors.length > 0 && !followsAssumed(tensors);
  const found = operands
    .flatMap((value) => assumedOf(value) ?? [])
    .find((each) => {
      // A parameter that no call passes may be a tensor; its attribute is as likely a number.
      const isPassed = each.isStandIn === true && !each.name.includes(".");
      if (each.isOfUnknown === true || each.isTensor === true || isPassed) return false;
      return isBeside || !maybeInput(each);
    });
  if (found !== undefined) found.isOperand = true;
  return found;
}

/** Whether an entry broadcasts its operands, so that numbers are allowed among them. */
function broadcasts(entry: LibraryEntry): boolean {
  return entry.tensors > 1 && entry.annotate === library.get("add")?.annotate;
}
