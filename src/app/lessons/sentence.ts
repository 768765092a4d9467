import type { Span } from "#core/diagnostics";
import { evaluate, type World } from "./predicate/evaluate.ts";
import { type Expression, unitOf } from "./predicate/expression.ts";
import type { Fault } from "./predicate/faults.ts";
import { parseFigure } from "./predicate/parse.ts";
import { exactText, figureText } from "./predicate/words.ts";

/** Piece of a sentence: plain text, code, a glossary word, or a computed figure. */
export type Piece =
  | { readonly kind: "plain" | "code"; readonly text: string }
  | { readonly kind: "word"; readonly text: string; readonly term: string }
  | {
      readonly kind: "figure";
      readonly expression: Expression;
      readonly form: "short" | "exact";
      readonly span: Span;
    };

/** Parsed sentence, with faults of its figures. */
export interface ParsedSentence {
  readonly pieces: readonly Piece[];
  readonly faults: readonly Fault[];
}

const piece = /`([^`]+)`|\*([^*|\s][^*|]*)(?:\|([^*]+))?\*|\{([^{}]*)\}/gu;

/** Parses the markup of a sentence; a figure with a syntax error remains as plain text. */
export function parseSentence(sentence: string): ParsedSentence {
  const pieces: Piece[] = [];
  const faults: Fault[] = [];
  let at = 0;
  const plain = (to: number) => {
    if (to > at) pieces.push({ kind: "plain", text: sentence.slice(at, to) });
  };
  for (const found of sentence.matchAll(piece)) {
    const [all, code, word, term, figure] = found;
    plain(found.index);
    at = found.index + all.length;
    if (code !== undefined) pieces.push({ kind: "code", text: code });
    else if (word !== undefined) pieces.push({ kind: "word", text: word, term: term ?? word });
    else if (figure !== undefined) {
      const read = readFigure(figure, found.index + 1);
      if ("message" in read) {
        faults.push(read);
        pieces.push({ kind: "plain", text: all });
      } else pieces.push(read);
    }
  }
  plain(sentence.length);
  return { pieces, faults };
}

function readFigure(text: string, from: number): Piece | Fault {
  const isExact = text.endsWith(":exact");
  const parsed = parseFigure(isExact ? text.slice(0, -":exact".length) : text);
  const span = { from, to: from + text.length };
  if (!parsed.ok) return { message: parsed.fault.message, span };
  return { kind: "figure", expression: parsed.value, form: isExact ? "exact" : "short", span };
}

/** Display text of a figure; `undefined` if it is unknown, which the sentence then says. */
export function figureIn(
  { expression, form }: Extract<Piece, { kind: "figure" }>,
  world: World,
): string | undefined {
  const value = evaluate(expression, world);
  switch (value.kind) {
    case "number": {
      const unit = unitOf(expression);
      return form === "exact" ? exactText(value.value, unit) : figureText(value.value, unit);
    }
    case "text":
      return value.value;
    default:
      return undefined;
  }
}

/** Sentence as plain text with its figures computed, for tests, tables and titles. */
export function plainSentence(sentence: string, world: World): string {
  return parseSentence(sentence)
    .pieces.map((each) =>
      each.kind === "figure" ? (figureIn(each, world) ?? "unknown") : each.text,
    )
    .join("");
}
