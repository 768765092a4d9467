import type { Span } from "#core/diagnostics";
import type { Context, Value } from "#language/python";

/** The known name that a word is one slip away from, if there is exactly one. */
export function meantBy(word: string, known: Iterable<string>): string | undefined {
  if (word.length < 4) return undefined;
  const near = [...new Set(known)].filter((name) => name.length >= 4 && isOneSlip(word, name));
  return near.length === 1 ? near[0] : undefined;
}

/** One letter too many, too few, wrong, or two neighbours swapped. */
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

/** What a module's member that is one slip away from a known one stands for, with a fix. */
export function misspeltMember(
  owner: string,
  name: string,
  known: Iterable<string>,
  memberOf: (name: string) => Value | undefined,
  context: Context,
  span: Span,
): Value | undefined {
  const meant = meantBy(name, known);
  const value = meant === undefined ? undefined : memberOf(meant);
  if (meant === undefined || value === undefined) return undefined;
  const at = context.source.lastIndexOf(name, span.to);
  const place = at < span.from ? span : { from: at, to: at + name.length };
  context.report({
    code: "document/misspelt-name",
    severity: "warning",
    message: `"${owner}" has no "${name}": read as "${meant}"`,
    span: place,
    upstream: "AttributeError",
    fixes: [{ title: `Write ${meant}`, edits: [{ ...place, text: meant }] }],
  });
  return value;
}
