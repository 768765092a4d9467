import type { Diagnostic } from "#core/diagnostics";
import { matcherOf, type Operator } from "#core/ir";
import type { StrategyCall, TracedTensor } from "./trace.ts";

/**
 * The `strategy(…)` call that each operator follows: an exact target beats one with wildcards, a
 * later call an earlier one. A target that no operator answers to is an error.
 */
export function selectTargets(
  calls: readonly StrategyCall[],
  operators: readonly Operator[],
  nameOf: (target: TracedTensor | string) => string,
): {
  readonly calls: ReadonlyMap<Operator, StrategyCall>;
  readonly diagnostics: readonly Diagnostic[];
} {
  const chosen = new Map<Operator, StrategyCall>();
  const diagnostics: Diagnostic[] = [];
  const exact = new Set<Operator>();
  const byName = new Map(operators.map((operator) => [operator.name, operator]));
  for (const call of calls) {
    const target = nameOf(call.target);
    const named = byName.get(target);
    const found = named ? [named] : matched(target, operators);
    if (found.length === 0) diagnostics.push(noOperator(target, call));
    for (const operator of found) {
      const isExact = operator.name === target;
      if (!isExact && exact.has(operator)) continue;
      if (isExact) exact.add(operator);
      chosen.set(operator, call);
    }
  }
  return { calls: chosen, diagnostics };
}

function matched(target: string, operators: readonly Operator[]): readonly Operator[] {
  const matches = matcherOf(target);
  return operators.filter(({ name }) => matches(name));
}

function noOperator(target: string, call: StrategyCall): Diagnostic {
  const made =
    typeof call.target === "string"
      ? `no operator is called "${target}"`
      : `"${target}" is not made by an operator; say how it lies with place(${target}, layout(…))`;
  return { code: "document/no-such-operator", severity: "error", message: made, span: call.span };
}
