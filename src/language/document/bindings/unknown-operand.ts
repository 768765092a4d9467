import { type LibraryEntry, library } from "#core/ir";
import type { Value } from "#language/python";
import { followsAssumed } from "../trace/follows.ts";
import { type Assumed, assumedOf, maybeInput } from "./assumed.ts";
import type { TensorCalls } from "./tensor-calls.ts";

/**
 * An operand that may be a number or a tensor, so that the result is unknown. Beside a tensor with
 * given sizes a plain unknown name counts as such an operand where numbers are allowed; in a text
 * without sizes such a name is an input.
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
      // A parameter that nobody passes may be a tensor; what it holds, as likely a number.
      const isPassed = each.isStandIn === true && !each.name.includes(".");
      if (each.isOfUnknown === true || each.isTensor === true || isPassed) return false;
      return isBeside || !maybeInput(each);
    });
  if (found !== undefined) found.isOperand = true;
  return found;
}

/** Whether numbers may stand among the operands of an entry, which broadcast. */
function broadcasts(entry: LibraryEntry): boolean {
  return entry.tensors > 1 && entry.annotate === library.get("add")?.annotate;
}
