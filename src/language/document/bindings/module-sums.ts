// Sums of module lists and multiples of sequences; the results hold the same modules.

import type { Span } from "#core/diagnostics";
import type { Argument, ClassValue, Context, Value } from "#language/python";
import { none } from "./values/values.ts";

/**
 * A module list class; a sequence is constructed from separate modules, other lists from one list.
 */
export interface ListType {
  readonly type: ClassValue;
  readonly isSequence: boolean;
}

/** Access to the items of lists. */
interface Items extends ListType {
  readonly all: (value: Value | undefined) => readonly Value[];
  readonly add: (self: Value, item: Value) => void;
}

type SumName = "__add__" | "__iadd__" | "__mul__" | "__rmul__" | "__imul__";

/** Result of an arithmetic method of a list and another operand. */
export function sumOf(
  name: SumName,
  list: Items,
  [self, other]: readonly Argument[],
  context: Context,
  span: Span,
): Value {
  if (self === undefined || other === undefined) return none;
  const own = list.all(self.value);
  const items = name.endsWith("add__")
    ? [...own, ...addend(list, other.value, context, span)]
    : Array.from({ length: factor(other.value, context, span) }, () => own).flat();
  if (name.startsWith("__i")) {
    for (const item of items.slice(own.length)) list.add(self.value, item);
    return self.value;
  }
  const given: readonly Value[] = list.isSequence ? items : [{ kind: "list", items }];
  return context.call(
    list.type,
    given.map((value) => ({ value, span })),
    span,
  );
}

/** Modules that a sum adds; a sequence accepts only another sequence. */
function addend(
  { type, isSequence, all }: Items,
  other: Value,
  context: Context,
  span: Span,
): readonly Value[] {
  if (!isSequence) return [...context.iterate(other, span)];
  if (other.kind === "instance" && other.type.mro.includes(type)) return all(other);
  const message = "add operator supports only objects of Sequential class";
  return context.raise("ValueError", message, span);
}

/** Factor of a sequence's multiple: a positive integer. */
function factor(count: Value, context: Context, span: Span): number {
  if (count.kind !== "int")
    return context.raise("TypeError", "a Sequential is multiplied by an integer", span);
  if (count.value > 0n) return Number(count.value);
  return context.raise("ValueError", "Non-positive multiplication factor", span);
}
