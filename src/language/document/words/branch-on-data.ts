import type { Span } from "#core/diagnostics";
import type { Context } from "#language/python";

/**
 * Whether a condition on the values of a tensor is read as true, which is said once where it stands:
 * a graph has no values. A loop that runs while it holds is left out, since it might not end; an
 * `assert` is read as if it held, without a word.
 *
 * @param said where it was said already
 */
export function sayBranch(context: Context, span: Span, said: Set<number>): boolean {
  const start = context.source.lastIndexOf("\n", span.from - 1) + 1;
  const word = /^\s*(\w+)/.exec(context.source.slice(start, span.from))?.[1];
  const isLoop = word === "while";
  if (word === "assert" || span.from < 0 || said.has(span.from)) return !isLoop;
  said.add(span.from);
  const read = isLoop ? "the loop is left out" : "it is read as if the condition held";
  context.report({
    code: "document/branch-on-data",
    severity: "warning",
    message: `this depends on the values of a tensor, which a graph does not have: ${read}`,
    span,
  });
  return !isLoop;
}
