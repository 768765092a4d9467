import { applyEdits, type Diagnostic, type Span, type TextEdit } from "#core/diagnostics";
import type { Tensor } from "#core/ir";
import type { Document } from "#language/document";

/** A size of the inputs that the text states as one number, so that it can be replaced. */
export interface SizeChoice {
  /** `batch` for the leading dim, `sequence` for the next one. */
  readonly kind: "batch" | "sequence";
  /** The inputs with that dim. */
  readonly of: readonly string[];
  readonly value: number;
}

/** Sizes chosen by kind, in place of the text's. */
export type ChosenSizes = Readonly<Partial<Record<SizeChoice["kind"], number>>>;

/** A choice with the spans of its number in the text. */
interface PlacedChoice extends SizeChoice {
  readonly spans: readonly Span[];
}

/**
 * Sizes of a text that can safely be changed: numbers, or variables set to one number, of the
 * inputs' leading dims. With twice the size the program must keep its operators and get no new
 * fault.
 */
export function sizeChoices(document: Document): readonly SizeChoice[] {
  return placedChoices(document).flatMap(({ spans: _, ...choice }) => {
    const after = withSizes(document, { [choice.kind]: 2 * choice.value });
    return after !== undefined && isSameProgram(document, document.reread(after)) ? [choice] : [];
  });
}

/** The text with other sizes; `undefined` if one of them is no number in the text. */
export function withSizes(document: Document, sizes: ChosenSizes): string | undefined {
  const placed = placedChoices(document);
  const edits: TextEdit[] = [];
  for (const kind of ["batch", "sequence"] as const) {
    const size = sizes[kind];
    if (size === undefined) continue;
    const choice = placed.find((each) => each.kind === kind);
    if (choice === undefined) return undefined;
    if (choice.value === size) continue;
    edits.push(...choice.spans.map((span) => ({ ...span, text: String(size) })));
  }
  return applyEdits(document.source, edits);
}

function placedChoices(document: Document): readonly PlacedChoice[] {
  const batch = choiceOf(document, "batch", 0);
  const sequence = choiceOf(document, "sequence", 1);
  const taken = new Set(batch?.spans.map(({ from }) => from));
  const isApart = sequence?.spans.every(({ from }) => !taken.has(from)) === true;
  return [...(batch ? [batch] : []), ...(sequence && isApart ? [sequence] : [])];
}

/** A choice for a dim, if all inputs with such a dim have the same size. */
function choiceOf(
  document: Document,
  kind: SizeChoice["kind"],
  dim: number,
): PlacedChoice | undefined {
  const inputs = document.graph.tensors.filter(
    (tensor) => tensor.role === "input" && (dim === 0 || isSequence(tensor)),
  );
  const [first] = inputs;
  const value = first?.shape[dim];
  if (value === undefined || value < 1) return undefined;
  const alike = inputs.filter(({ shape }) => shape[dim] === value);
  const places = alike.map((tensor) => sizeSpan(document, tensor, dim, value));
  const known = places.filter((span) => span !== undefined);
  if (known.length < places.length) return undefined;
  const spans = [...new Map(known.map((span) => [span.from, span])).values()];
  return { kind, of: alike.map(({ name }) => name), value, spans };
}

/** Whether the second dim is the sequence, between batch and features. */
function isSequence({ shape, dtype }: Tensor): boolean {
  return shape.length > 2 || (shape.length === 2 && /^[iu]\d/u.test(dtype));
}

/** Span of a dim's number: in the shape itself, or in the assignment of its variable. */
function sizeSpan(
  { source, built }: Document,
  { name }: Tensor,
  dim: number,
  value: number,
): Span | undefined {
  const span = built.tracedBy.get(name)?.shapeTree?.items[dim]?.span;
  if (span === undefined) return undefined;
  const text = source.slice(span.from, span.to);
  if (isNumber(text, value)) return span;
  if (!/^[\p{L}_][\p{L}\p{N}_]*$/u.test(text)) return undefined;
  const bindings = [...source.matchAll(new RegExp(`\\b${text}\\s*=(?!=)\\s*`, "gu"))];
  const [binding] = bindings;
  if (binding === undefined || bindings.length > 1) return undefined;
  const from = binding.index + binding[0].length;
  const number = /^\d[\d_]*(?=\s*(#|\n|$|;))/u.exec(source.slice(from))?.[0];
  const isWhole = number !== undefined && isNumber(number, value);
  return isWhole ? { from, to: from + number.length } : undefined;
}

function isNumber(text: string, value: number): boolean {
  return /^\d[\d_]*$/u.test(text) && Number(text.replaceAll("_", "")) === value;
}

/** Whether two texts have the same operators, without a fault of a new kind. */
function isSameProgram(before: Document, after: Document): boolean {
  const operatorsOf = ({ graph }: Document) =>
    graph.operators.map(({ id, name, op }) => [id, name, op]);
  const known = new Set(before.diagnostics.map(keyOf));
  return (
    after.diagnostics.every((each) => each.severity === "info" || known.has(keyOf(each))) &&
    JSON.stringify(operatorsOf(after)) === JSON.stringify(operatorsOf(before))
  );
}

function keyOf({ code, severity }: Diagnostic): string {
  return `${severity} ${code}`;
}
