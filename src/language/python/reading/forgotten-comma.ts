import type { Fix } from "#core/diagnostics";
import { parseStrictly } from "./strict-parse.ts";

/** In longer statements nothing is tried. */
const longest = 2000;

/** What CPython adds to "invalid syntax", and the fix that makes a statement well-formed. */
interface Remedy {
  readonly hint: string;
  readonly fixes: readonly Fix[];
}

/** A comma that was forgotten in front of a value in brackets, where it makes the statement read. */
export function forgottenComma(
  piece: string,
  at: number,
  place: (offset: number) => number,
): Remedy | undefined {
  if (piece.length > longest || !/^[\w'"([{-]/.test(piece.slice(at))) return undefined;
  const before = piece.slice(0, at).trimEnd();
  const withComma = `${before},${piece.slice(before.length)}`;
  if (!isOpen(before) || parseStrictly(withComma) === undefined) return undefined;
  const to = place(before.length);
  const fix = { title: "Insert the comma", edits: [{ from: to, to, text: "," }] };
  return { hint: ". Perhaps you forgot a comma?", fixes: [fix] };
}

/** Whether a bracket is open: only there a comma stands between two values. */
function isOpen(text: string): boolean {
  const code = text.replaceAll(/'[^'\n]*'|"[^"\n]*"|#[^\n]*/g, "");
  const brackets = code.match(/[([{]|[)\]}]/g) ?? [];
  return brackets.reduce((depth, mark) => depth + ("([{".includes(mark) ? 1 : -1), 0) > 0;
}
