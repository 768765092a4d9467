import { applyEdits, hasErrors, type Span, type TextEdit } from "#core/diagnostics";
import { matcherOf } from "#core/ir";
import {
  type Document,
  linesEdit,
  planLinesAt,
  statementRemoval,
  targetAt,
} from "#language/document";
import type { Compiled } from "./compiled.ts";
import type { GestureOutcome, PinGesture } from "./gesture-kinds.ts";
import type { Version } from "./version.ts";

/**
 * The text with a `pin(…)` of a name, or without it. A pin that means other names as well is left
 * to the hand.
 */
export function applyPinGesture(
  { document, compiled, reread }: Version,
  { name, isPinned }: PinGesture,
): GestureOutcome {
  const edits = isPinned ? pinEdits(document, name) : unpinEdits(document, name);
  if (typeof edits === "string") return { ok: false, reason: edits };
  const source = applyEdits(document.source, edits);
  const after = reread(source);
  if (isNamed(after.document, name) !== isPinned) {
    return { ok: false, reason: `the text pins "${name}" in a way that cannot be edited here` };
  }
  const known = new Set(errorsOf(compiled));
  const fault = errorsOf(after.compiled).find((message) => !known.has(message));
  if (fault !== undefined) return { ok: false, reason: fault };
  return { ok: true, label: `${isPinned ? "Pin" : "Unpin"} ${name}`, source };
}

/** The text with a pin of a name; `undefined` where it has no place for one. */
export function withPin(document: Document, name: string): string | undefined {
  const edits = pinEdits(document, name);
  if (typeof edits === "string") return undefined;
  const source = applyEdits(document.source, edits);
  const after = document.reread(source);
  return isNamed(after, name) && !hasErrors(after.diagnostics) ? source : undefined;
}

function pinEdits(document: Document, name: string): readonly TextEdit[] | string {
  if (isNamed(document, name)) return `"${name}" is pinned already`;
  const at = planLinesAt(document);
  return [linesEdit(document, at, [`pin(${targetAt(document, name, at)})`])];
}

function unpinEdits({ source, pins }: Document, name: string): readonly TextEdit[] | string {
  const own = pins.written.filter(({ target }) => target === name);
  const wider = pins.written.find(({ target }) => target !== name && matcherOf(target)(name));
  if (wider !== undefined) return `"${name}" is pinned together with others: "${wider.target}"`;
  return own.length === 0
    ? `nothing pins "${name}"`
    : own.map(({ span }) => removalOf(source, span));
}

/** Takes an argument of `pin(…)` out, the whole call where it is the only one. */
function removalOf(source: string, { from, to }: Span): TextEdit {
  const before = /\bpin\(\s*$/u.exec(source.slice(0, from));
  const behind = /^\s*,?\s*\)/u.exec(source.slice(to));
  if (before !== null && behind !== null) {
    const call = { from: before.index, to: to + behind[0].length };
    return statementRemoval(source, call) ?? { ...call, text: "None" };
  }
  const comma = /^\s*,\s*/u.exec(source.slice(to));
  if (comma !== null) return { from, to: to + comma[0].length, text: "" };
  const earlier = /,\s*$/u.exec(source.slice(0, from));
  return { from: earlier?.index ?? from, to, text: "" };
}

function isNamed({ pins }: Document, name: string): boolean {
  return pins.written.some(({ target }) => matcherOf(target)(name));
}

function errorsOf({ diagnostics }: Compiled): readonly string[] {
  return diagnostics.flatMap(({ severity, message }) => (severity === "error" ? [message] : []));
}
