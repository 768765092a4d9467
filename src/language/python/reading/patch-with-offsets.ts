import type { TextEdit } from "#core/diagnostics";

/** A text after edits. */
interface PatchedText {
  readonly text: string;
  /** The offset in the text before. */
  readonly original: (offset: number) => number;
}

/** Applies the edits; of those that overlap the first counts. */
export function patchWithOffsets(source: string, edits: readonly TextEdit[]): PatchedText {
  const kept = withoutOverlap(edits);
  return { text: apply(source, kept), original: mapBack(kept) };
}

function withoutOverlap(edits: readonly TextEdit[]): readonly TextEdit[] {
  const ordered = [...edits].sort((a, b) => a.from - b.from || a.to - b.to);
  const kept: TextEdit[] = [];
  for (const edit of ordered) {
    const last = kept.at(-1);
    if (last === undefined || edit.from >= last.to) kept.push(edit);
  }
  return kept;
}

function apply(source: string, edits: readonly TextEdit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, text } of edits) {
    parts.push(source.slice(at, from), text);
    at = to;
  }
  return parts.join("") + source.slice(at);
}

/** Offsets of the repaired text in the given one; inserted text stands where it was inserted. */
function mapBack(edits: readonly TextEdit[]): (offset: number) => number {
  const steps: {
    readonly from: number;
    readonly to: number;
    readonly source: number;
    readonly end: number;
  }[] = [];
  let shift = 0;
  for (const { from, to, text } of edits) {
    steps.push({ from: from + shift, to: from + shift + text.length, source: from, end: to });
    shift += text.length - (to - from);
  }
  if (steps.length === 0) return (offset) => offset;
  return (offset) => {
    let [low, high] = [0, steps.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((steps[middle]?.from ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    const step = steps[low - 1];
    if (step === undefined) return offset;
    if (offset >= step.to) return offset - step.to + step.end;
    return Math.min(step.source + (offset - step.from), step.end);
  };
}
