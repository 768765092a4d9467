import type { Span } from "#core/diagnostics";
import { type Context, nearestName, type Value } from "#language/python";

/** What a module's member that is one slip away from a known one stands for, with a fix. */
export function misspeltMember(
  owner: string,
  name: string,
  known: Iterable<string>,
  memberOf: (name: string) => Value | undefined,
  context: Context,
  span: Span,
): Value | undefined {
  const meant = nearestName(name, known);
  if (meant === undefined) return undefined;
  return readAs(owner, name, meant, memberOf(meant), context, span);
}

/** Whether two names differ in capital letters only. */
export function isOtherCase(known: string, name: string): boolean {
  return known !== name && known.toLowerCase() === name.toLowerCase();
}

/** Reads a member as the one that is meant, with the fix that writes it. */
export function readAs(
  owner: string,
  name: string,
  meant: string,
  value: Value | undefined,
  context: Context,
  span: Span,
): Value | undefined {
  if (value === undefined) return undefined;
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
