import type { Span } from "#core/diagnostics";
import { insideOf, type NameUse, openBracketsAt } from "#language/tokens";
import { baseName, type Facts } from "./facts.ts";
import { isSameVariable, tensorsOf } from "./values.ts";

/** Every use of a variable, with the keywords of `shapes(…)` that refer to it. */
export function variableSpans(facts: Facts, use: NameUse): readonly Span[] {
  const own = facts.names.filter((other) => isSameVariable(other, use));
  const isTensor = tensorsOf(facts, use).some(({ name }) => name === use.name);
  const keys = isTensor
    ? facts.tokens.filter((token) => {
        const text = facts.source.slice(token.from, token.to);
        if (token.kind !== "parameter" || text !== use.name) return false;
        return openBracketsAt(facts.source, facts.tokens, token.from).at(-1)?.callee === "shapes";
      })
    : [];
  return [...own, ...keys].map(({ from, to }) => ({ from, to }));
}

/** The variable's name inside the target strings of `strategy`, `place` and `reshard`. */
export function variableStrings(facts: Facts, use: NameUse): readonly Span[] {
  const names = new Set(tensorsOf(facts, use).map(({ name }) => baseName(name)));
  if (!names.has(use.name)) return [];
  return facts.tokens.flatMap((token) => {
    if (token.kind !== "string") return [];
    const open = openBracketsAt(facts.source, facts.tokens, token.from).at(-1);
    const isTarget = /^(strategy|place|reshard)$/.test(open?.callee ?? "") && open?.index === 0;
    const { span, text } = insideOf(facts.source, token);
    const tail = /([^.#]*)(#\d+)?$/.exec(text);
    if (!isTarget || tail?.[1] !== use.name) return [];
    const from = span.from + tail.index;
    return [{ from, to: from + use.name.length }];
  });
}
