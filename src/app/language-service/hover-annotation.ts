import type { Span } from "#core/diagnostics";
import { type DimAnno, type OpAnno, parseAnnotation } from "#core/dimops";
import { contains, type TextPlace } from "#language/tokens";
import { type WrittenAnnotation, writtenAnnotations } from "./annotations.ts";
import type { Facts } from "./facts.ts";
import type { Hover } from "./hover.ts";

/** The hover on a bracket of an annotation: the product of the identifiers inside. */
export function bracketHover(facts: Facts, place: TextPlace): Hover | undefined {
  return wordsAt(facts, place, bracketWords);
}

/** The hover on the other signs of an annotation: numbers, `?`, `*`, `,` and `->`. */
export function annotationMarkHover(facts: Facts, place: TextPlace): Hover | undefined {
  return wordsAt(
    facts,
    place,
    (written, anno, at) => markWords(anno, at) ?? separatorWords(written, at),
  );
}

function wordsAt(
  facts: Facts,
  { offset }: TextPlace,
  read: (written: WrittenAnnotation, anno: OpAnno, at: number) => Hover | undefined,
): Hover | undefined {
  const written = writtenAnnotations(facts).find(({ span }) => contains(span, offset));
  const checked = written && parseAnnotation(written.text);
  if (written === undefined || checked?.ok !== true) return undefined;
  const words = read(written, checked.value, offset - written.span.from);
  if (words === undefined) return undefined;
  const { from, to } = words.span;
  return { ...words, span: { from: from + written.span.from, to: to + written.span.from } };
}

const marks: Readonly<Record<"number" | "star" | "ignored", readonly string[]>> = {
  number: ["A fixed size: the dim must have it, and is never cut."],
  star: [
    "Any number of dims, none too; the same ones wherever * stands, so all its tensors are cut alike.",
    "They get letters of their own when the operator is called, by which they can be cut.",
  ],
  ignored: ["No dims are read here: any value may stand, and a tensor is whole on every device."],
};

function markWords(anno: OpAnno, at: number): Hover | undefined {
  const found = dimsOf(anno)
    .flatMap(({ identifiers }) => identifiers)
    .find(({ span, kind }) => kind !== "name" && contains(span, at));
  if (found === undefined || found.kind === "name") return undefined;
  const { name, kind, span, reduction } = found;
  const isFrozen = kind === "star" && reduction === "^";
  const lines = isFrozen ? [...marks.star.slice(0, 1), "^: none of them may be cut."] : marks[kind];
  return { span, title: name, lines };
}

function bracketWords({ text }: WrittenAnnotation, anno: OpAnno, at: number): Hover | undefined {
  if (!/^[()]$/u.test(text.charAt(at))) return undefined;
  const dim = dimsOf(anno).find(({ span }) => at === span.from || at === span.to - 1);
  if (dim === undefined) return undefined;
  const { from, to } = dim.span;
  const names = dim.identifiers.map(({ name }) => name);
  const first = names.find((name) => name !== "1");
  const rest = names.slice(names.indexOf(first ?? "") + 1);
  return {
    span: { from, to },
    title: text.slice(from, to),
    lines: [
      `One dim of ${names.join(" × ")}, outermost first.`,
      `Only ${first ?? "none"} may be cut: a block of the dim is then a block of it.`,
      ...(rest.length === 0 ? [] : [`${rest.join(", ")}: not cut anywhere in this operator.`]),
    ],
  };
}

function separatorWords({ text }: WrittenAnnotation, at: number): Hover | undefined {
  const arrow = text.indexOf("->");
  if (at >= arrow && at <= arrow + 2) {
    const lines = ["Inputs stand before it, outputs behind it."];
    return { span: { from: arrow, to: arrow + 2 }, title: "->", lines };
  }
  if (text.charAt(at) !== ",") return undefined;
  const side = at < arrow ? "input" : "output";
  return { span: span1(at), title: ",", lines: [`The next ${side}.`] };
}

function span1(at: number): Span {
  return { from: at, to: at + 1 };
}

function dimsOf(anno: OpAnno): readonly DimAnno[] {
  return [...anno.inputs, ...anno.outputs].flatMap(({ dims }) => dims);
}
