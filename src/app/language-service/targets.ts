import { matcherOf, type OperatorTargets, operatorTargets } from "#core/ir";
import { type Facts, writtenOperators } from "./facts.ts";

/** The operators that a target text of `strategy` means, by name of a result or path of a module. */
export function strategyTargets(facts: Facts): OperatorTargets {
  return operatorTargets(writtenOperators(facts));
}

/** The results, inputs and parameters that a target with `*` matches, in program order. */
export function matchingNames(facts: Facts, target: string): readonly string[] {
  return tensorNames(facts).filter(matcherOf(target));
}

/**
 * The possible texts of a target: for `strategy` operators by their paths in the text, else
 * tensors.
 */
export function targetNames(facts: Facts, word: string): readonly string[] {
  if (word !== "strategy") return tensorNames(facts);
  return writtenOperators(facts).map(strategyTargets(facts).targetOf);
}

function tensorNames({ compiled }: Facts): readonly string[] {
  return compiled.graph.tensors.map(({ name }) => name);
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

/** The target name of `strategy` or `place`: a tensor of the text, or a name as written. */
export function targetName(
  { built }: Facts["document"],
  target: Facts["document"]["trace"]["places"][number]["target"],
): string {
  if (typeof target === "string") return target;
  return [...built.tracedBy].find(([, traced]) => traced === target)?.[0] ?? "";
}
