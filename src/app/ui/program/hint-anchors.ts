import type { TextEdit } from "#core/diagnostics";
import { changeBetween } from "./change-between.ts";
import type { LayoutHint } from "./layout-hints.ts";

/** Hint at the end of its line. */
export interface AnchoredHint {
  readonly hint: LayoutHint;
  /** Offsets of the line's start and end. */
  readonly from: number;
  readonly to: number;
}

/** Hints anchored at the ends of their lines. */
export function anchored(source: string, hints: readonly LayoutHint[]): readonly AnchoredHint[] {
  return hints.flatMap((hint) => {
    if (hint.at > source.length) return [];
    const end = source.indexOf("\n", hint.at);
    const from = source.lastIndexOf("\n", hint.at - 1) + 1;
    return [{ hint, from, to: end < 0 ? source.length : end }];
  });
}

/**
 * Hints after edits of one version of the text, and whether one must be placed again because its
 * line's end was edited. A hint moves with its line; an edit that replaces the line or its end
 * drops it.
 *
 * @param given edits with offsets into `before`
 */
export function movedHints(
  hints: readonly AnchoredHint[],
  given: readonly TextEdit[],
  before: string,
): { readonly hints: readonly AnchoredHint[]; readonly isTouched: boolean } {
  const edits = given.flatMap((edit) => narrowed(before, edit));
  const backwards = [...edits].sort((a, b) => b.from - a.from);
  const isTouched = hints.some(
    ({ from, to }) =>
      edits.some((edit) => edit.from <= to && edit.to >= to) ||
      edits.some((edit) => edit.from < from && edit.to > from),
  );
  const moved = hints.flatMap((hint) => {
    let kept: AnchoredHint | undefined = hint;
    for (const edit of backwards) kept = kept && movedHint(kept, edit);
    return kept ?? [];
  });
  return { hints: moved, isTouched };
}

/** Changed part of an edit: pasting a whole text over another may change only one line. */
function narrowed(before: string, { from, to, text }: TextEdit): readonly TextEdit[] {
  const change = changeBetween(before.slice(from, to), text);
  if (change === undefined) return [];
  return [{ from: from + change.from, to: from + change.to, text: change.text }];
}

function movedHint(hint: AnchoredHint, { from, to, text }: TextEdit): AnchoredHint | undefined {
  if (from > hint.to) return hint;
  const isWhole = from <= hint.from && to === hint.to && to > hint.from;
  if (to > hint.to || isWhole) return undefined;
  const start =
    to < hint.from ? hint.from + text.length - (to - from) : startAfter(hint, from, text);
  if (to < hint.to) return { ...hint, from: start, to: hint.to + text.length - (to - from) };
  const first = text.indexOf("\n");
  return { ...hint, from: start, to: from + (first < 0 ? text.length : first) };
}

/** Start of a hint's line after an edit that reaches into it. */
function startAfter(hint: AnchoredHint, from: number, text: string): number {
  return from > hint.from ? hint.from : from + text.lastIndexOf("\n") + 1;
}
