import type { TextEdit } from "./diagnostic.ts";

/** Line and column of an offset, both from 1; columns count UTF-16 units. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  return { line, column: offset - lineStart + 1 };
}

/** Applies edits that do not overlap; each refers to the text before any of them. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const ordered = [...edits].sort((a, b) => b.from - a.from || b.to - a.to);
  return ordered.reduce(
    (done, edit) => done.slice(0, edit.from) + edit.text + done.slice(edit.to),
    text,
  );
}
