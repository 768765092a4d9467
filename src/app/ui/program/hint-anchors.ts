import type { TextEdit } from "#core/diagnostics";
import { changeBetween } from "./change-between.ts";
import type { LayoutHint } from "./layout-hints.ts";

/** A hint at the end of its line. */
export interface AnchoredHint {
  readonly hint: LayoutHint;
  /** The offsets at which the line begins and ends. */
  readonly from: number;
  readonly to: number;
}

/** Places hints at the ends of their lines. */
export function anchored(source: string, hints: readonly LayoutHint[]): readonly AnchoredHint[] {
  return hints.flatMap((hint) => {
    if (hint.at > source.length) return [];
    const end = source.indexOf("\n", hint.at);
    const from = source.lastIndexOf("\n", hint.at - 1) + 1;
    return [{ hint, from, to: end < 0 ? source.length : end }];
  });
}

/**
 * Hints after edits of one version of the text, and whether one stands elsewhere than its end of
 * the line has moved to. A hint goes with its line, so it always stands at an end of one: what
 * replaces the line or takes its end away drops it.
 *
 * @param given places count in `before`
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

/** The part of an edit that differs: text pasted over the whole text may change only one line. */
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

/** The beginning of the line into which an edit reaches, after the edit. */
function startAfter(hint: AnchoredHint, from: number, text: string): number {
  return from > hint.from ? hint.from : from + text.lastIndexOf("\n") + 1;
}
