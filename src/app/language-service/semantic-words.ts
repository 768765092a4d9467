import type { Span } from "#core/diagnostics";
import { parseAnnotation } from "#core/dimops";
import type { Operator } from "#core/ir";
import { fieldOf } from "#core/records";
import { type WrittenAnnotation, writtenAnnotations } from "./annotations.ts";
import type { Facts } from "./facts.ts";

/** A word of an annotation, which the grammar treats as part of a string or comment. */
export interface SemanticWord extends Span {
  readonly kind: "identifier" | "reduction";
  /**
   * The outermost mesh axis that shards the identifier, the same in every operator of the
   * annotation.
   */
  readonly axis?: string;
}

/** The words of the annotations in a text, in text order. */
export function semanticWords(facts: Facts): readonly SemanticWord[] {
  return writtenAnnotations(facts)
    .flatMap((written) => wordsIn(facts, written))
    .sort((a, b) => a.from - b.from);
}

function wordsIn(
  facts: Facts,
  { text, span, operators }: WrittenAnnotation,
): readonly SemanticWord[] {
  const checked = parseAnnotation(text);
  if (!checked.ok) return [];
  const dims = [...checked.value.inputs, ...checked.value.outputs].flatMap((shape) => shape.dims);
  return dims
    .flatMap(({ identifiers }) => identifiers)
    .filter(({ kind }) => kind === "name")
    .flatMap(({ name, span: own }) => {
      const axis = axisOf(facts, operators, name);
      const from = span.from + own.from;
      const word = { from, to: from + name.length, kind: "identifier" as const };
      const mark = { from: word.to, to: span.from + own.to, kind: "reduction" as const };
      const named = axis === undefined ? word : { ...word, axis };
      return mark.to > mark.from ? [named, mark] : [named];
    });
}

/** The outermost axis that shards an identifier; `undefined` if operators disagree. */
function axisOf(
  { compiled }: Facts,
  operators: readonly Operator[],
  name: string,
): string | undefined {
  const axes = operators.map(({ id }) => {
    const [part] = fieldOf(compiled.plan.operators.get(id)?.strategy.cuts, name) ?? [];
    return part?.kind === "axis" ? part.axis : undefined;
  });
  const cutting = axes.filter((axis) => axis !== undefined);
  return new Set(cutting).size === 1 ? cutting[0] : undefined;
}
