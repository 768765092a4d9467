import { type OperatorTargets, operatorTargets, wildcardMatcher } from "#core/ir";
import { type Facts, writtenOperators } from "./facts.ts";

/**
 * Resolves the target strings of `strategy` to operators, by the name of a result or the path of a
 * module.
 */
export function strategyTargets(facts: Facts): OperatorTargets {
  return operatorTargets(writtenOperators(facts));
}

/** The names of results, inputs and parameters that a target with `*` matches, in program order. */
export function matchingNames(facts: Facts, target: string): readonly string[] {
  return tensorNames(facts).filter(wildcardMatcher(target));
}

/**
 * The possible target strings: for `strategy` the operators' paths in the text, else tensor names.
 */
export function targetNames(facts: Facts, word: string): readonly string[] {
  if (word !== "strategy") return tensorNames(facts);
  return writtenOperators(facts).map(strategyTargets(facts).targetOf);
}

function tensorNames({ compiled }: Facts): readonly string[] {
  return compiled.graph.tensors.map(({ name }) => name);
}

/** Names with `*` for a number in brackets that several tensors share. */
export function wildcardNames(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) {
    const wild = name.replace(/\[\d+\]/g, "[*]");
    if (wild !== name) counts.set(wild, (counts.get(wild) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count > 1).map(([wild]) => wild);
}

/** The target name of `strategy` or `place`: that of a tensor in the text, or the written name. */
export function targetName(
  { built }: Facts["document"],
  target: Facts["document"]["trace"]["places"][number]["target"],
): string {
  if (typeof target === "string") return target;
  return [...built.tracedBy].find(([, traced]) => traced === target)?.[0] ?? "";
}
