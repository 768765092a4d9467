import type { Fix } from "#core/diagnostics";
import { type Cursor, cursorOn, SyntaxFault } from "./cursor.ts";
import { endStatement, readSimple } from "./statements.ts";
import type { Token } from "./tokens.ts";

/** Longest statement (in characters) for which a fix is tried. */
const longest = 2000;

/**
 * Adds CPython's "Perhaps you forgot a comma?" and a fix to "invalid syntax", if a comma before a
 * value in brackets makes the statement parse.
 *
 * @param start index of the statement's first token
 */
export function withForgottenComma(cursor: Cursor, start: number, fault: SyntaxFault): SyntaxFault {
  const { token, at, end, tokens } = cursor;
  const isHere = fault.message === "invalid syntax" && fault.span.from === token.from;
  const isValue = token.kind !== "end" && /^[\w'"([{-]/.test(token.text);
  const from = tokens[start]?.from ?? 0;
  if (!isHere || !isValue || token.from - from > longest) return fault;
  const comma: Token = { kind: "sign", text: ",", from: end, to: end };
  const mended = [...tokens.slice(start, at), comma, ...tokens.slice(at)];
  if (!isOpen(tokens.slice(start, at)) || !isSound(cursorOn(cursor, mended))) return fault;
  const fix: Fix = { title: "Insert the comma", edits: [{ from: end, to: end, text: "," }] };
  const message = `${fault.message}. Perhaps you forgot a comma?`;
  return new SyntaxFault(fault.kind, message, fault.span, [fix]);
}

function isSound(cursor: Cursor): boolean {
  try {
    readSimple(cursor);
    endStatement(cursor);
    return true;
  } catch (fault) {
    if (fault instanceof SyntaxFault) return false;
    throw fault;
  }
}

/** Whether a bracket is open; only there a comma may separate two values. */
function isOpen(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const { kind, text } of tokens) {
    if (kind !== "sign") continue;
    if (text === "(" || text === "[" || text === "{") depth += 1;
    else if (text === ")" || text === "]" || text === "}") depth -= 1;
  }
  return depth > 0;
}
