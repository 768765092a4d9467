import type { Span } from "#core/diagnostics";
import { callAround, contains, insideOf, placeAt, type TextPlace } from "#language/tokens";
import { writtenAnnotations } from "./annotations.ts";
import { type Facts, tensorNamed, writtenOperators } from "./facts.ts";
import { axisAt } from "./hover-axis.ts";
import { bindingOf, nameUseAt } from "./values.ts";

/**
 * The definition of the name at an offset: of a variable, a mesh axis, an identifier, or a tensor.
 * `undefined` if there is none.
 */
export function definitionAt(facts: Facts, offset: number): Span | undefined {
  const place = placeAt(facts, offset);
  return (
    axisDefinition(facts, place) ??
    identifierDefinition(facts, offset) ??
    targetDefinition(facts, place) ??
    variableDefinition(facts, offset)
  );
}

/** The definition of an axis: the keyword of `Mesh(…)`, or the alias in `Layout(…)`. */
function axisDefinition(facts: Facts, place: TextPlace): Span | undefined {
  const named = axisAt(facts, place);
  return named && axisSpan(facts, named.name);
}

/** The span that defines an axis; `undefined` if the text does not name it. */
export function axisSpan({ source, document, tokens }: Facts, name: string): Span | undefined {
  const [mesh] = document.trace.meshes;
  const written = mesh?.axes.find((axis) => axis.name === name);
  if (written !== undefined && mesh?.isAssumed !== true) {
    const { from } = written.span;
    return { from, to: from + name.length };
  }
  const [layout] = document.trace.layouts;
  if (layout === undefined || !layout.spec.aliasName.includes(name)) return undefined;
  const text = tokens.find(
    (token) =>
      token.kind === "string" &&
      contains(layout.span, token.from) &&
      insideOf(source, token).text === name,
  );
  return text && insideOf(source, text).span;
}

/** The identifier in an annotation, for a key of `strategy(h, b=…)`. */
function identifierDefinition(facts: Facts, offset: number): Span | undefined {
  for (const operator of writtenOperators(facts)) {
    const call = facts.document.strategyCalls.get(operator.id);
    const cut = call?.cuts.find(({ keySpan }) => contains(keySpan, offset));
    if (cut === undefined) continue;
    const written = writtenAnnotations(facts).find(({ operators }) => operators.includes(operator));
    const at = written?.text.search(
      new RegExp(`(?<![\\p{L}\\p{N}_])${cut.key}(?![\\p{L}\\p{N}_])`, "u"),
    );
    if (written === undefined || at === undefined || at < 0) return operator.span;
    const from = written.span.from + at;
    return { from, to: from + cut.key.length };
  }
  return undefined;
}

/** The statement that makes `h`, for the target in `strategy("h", …)`. */
function targetDefinition(facts: Facts, { token, open }: TextPlace): Span | undefined {
  const around = callAround(open);
  const isTarget = token?.kind === "string" && around?.path.length === 1 && around.path[0] === 0;
  if (!isTarget) return undefined;
  return tensorNamed(facts, insideOf(facts.source, token).text)?.span;
}

function variableDefinition(facts: Facts, offset: number): Span | undefined {
  const use = nameUseAt(facts, offset);
  const binding = use && bindingOf(facts, use);
  return binding && { from: binding.from, to: binding.to };
}
