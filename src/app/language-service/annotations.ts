import type { Span } from "#core/diagnostics";
import type { Operator } from "#core/ir";
import type { Facts } from "./facts.ts";

/** An annotation in the text, and the operators that follow it. */
export interface WrittenAnnotation {
  readonly text: string;
  readonly span: Span;
  readonly operators: readonly Operator[];
}

/** The literally written annotations of a text, in the order of their first use. */
export function writtenAnnotations({ source, document }: Facts): readonly WrittenAnnotation[] {
  const found = new Map<number, { text: string; span: Span; operators: Operator[] }>();
  for (const [traced, operator] of document.built.operatorOf) {
    for (const { text, span } of traced.annotations) {
      if (span === undefined || source.slice(span.from, span.to) !== text) continue;
      const known = found.get(span.from) ?? { text, span, operators: [] };
      known.operators.push(operator);
      found.set(span.from, known);
    }
  }
  return [...found.values()];
}
