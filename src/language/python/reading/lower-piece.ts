import type { SyntaxNode } from "@lezer/common";
import type { Span, TextEdit } from "#core/diagnostics";
import { desugarPiece } from "./desugar.ts";
import { tokensIn } from "./line-tokens.ts";
import { patchWithOffsets } from "./patch-with-offsets.ts";
import { type Reading, SyntaxFault } from "./reading.ts";
import { parseStrictly } from "./strict-parse.ts";

/** A piece of the text as given, parsed alone. */
export interface Piece {
  readonly reading: Reading;
  /** The expression statement that it is. */
  readonly statement: SyntaxNode;
}

/** Reads what stands at a place as an expression; the tree around it holds only a name there. */
export function lowerPiece(
  reading: Reading,
  place: Span,
  more: (text: string) => readonly TextEdit[] = () => [],
): Piece {
  const written = reading.source.slice(place.from, place.to);
  const edits = [...ends(written), ...desugarPiece(written), ...more(written)];
  const { text, original } = patchWithOffsets(written, edits);
  const [statement, second] = parseStrictly(text) ?? [];
  if (statement?.name !== "ExpressionStatement" || second !== undefined) {
    throw new SyntaxFault("SyntaxError", "invalid syntax", place);
  }
  const inner = { ...reading, text, original: (offset: number) => place.from + original(offset) };
  return { reading: inner, statement };
}

/** Lines are free between brackets, which a piece may have lost: spaces stand for their ends. */
function ends(text: string): readonly TextEdit[] {
  const tokens = tokensIn(text, 0, text.length);
  return tokens.flatMap(({ from }, at) => {
    const start = tokens[at - 1]?.to ?? 0;
    const gap = text.slice(start, from);
    return /[\n\r#]/.test(gap) ? [{ from: start, to: from, text: " ".repeat(gap.length) }] : [];
  });
}
