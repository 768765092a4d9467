import type { Span } from "#core/diagnostics";
import { type Context, nearestName, type Value } from "#language/python";

/**
 * The member of a module that a misspelt name means, reported with a fix; `undefined` where no
 * known name or more than one is close.
 */
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

/** Whether two names differ in upper and lower case only. */
export function isOtherCase(known: string, name: string): boolean {
  return known !== name && known.toLowerCase() === name.toLowerCase();
}

/** Reads a member under the name that is meant, and reports it with a fix that writes that name. */
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
