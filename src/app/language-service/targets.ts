import { matcherOf } from "#core/ir";
import { type Facts, writtenOperators } from "./facts.ts";

/**
 * The names that a target text with `*` stands for, in program order: results of operators, and
 * inputs and parameters where they count.
 */
export function matchingNames(
  facts: Facts,
  target: string,
  { withInputs }: { readonly withInputs: boolean },
): readonly string[] {
  return targetNames(facts, { withInputs }).filter(matcherOf(target));
}

export function targetNames(
  facts: Facts,
  { withInputs }: { readonly withInputs: boolean },
): readonly string[] {
  if (withInputs) return facts.compiled.graph.tensors.map(({ name }) => name);
  return writtenOperators(facts).map(({ name }) => name);
}

/** Names that several tensors share but for a number in brackets, with `*` for it. */
export function wildcardNames(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const wild = name.replace(/\[\d+\]/g, "[*]");
    if (wild !== name) counts.set(wild, (counts.get(wild) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([wild]) => wild);
}

/** The name of what `strategy` or `place` is about: a tensor of the text, or a name as written. */
export function targetName(
  { built }: Facts["document"],
  target: Facts["document"]["trace"]["places"][number]["target"],
): string {
  if (typeof target === "string") return target;
  return [...built.tracedBy].find(([, traced]) => traced === target)?.[0] ?? "";
}
