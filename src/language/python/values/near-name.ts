/**
 * The known name that differs from a word by one slip; `undefined` when none or several do.
 *
 * @param least minimum length of both, so that short names do not match each other
 */
export function nearestName(word: string, known: Iterable<string>, least = 4): string | undefined {
  if (word.length < least) return undefined;
  const near = [...new Set(known)].filter((name) => name.length >= least && isOneSlip(word, name));
  return near.length === 1 ? near[0] : undefined;
}

/** Whether two words differ by one inserted, missing, wrong or swapped letter. */
function isOneSlip(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const left = a.slice(start, a.length - end);
  const right = b.slice(start, b.length - end);
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
