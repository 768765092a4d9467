import type { Span } from "#core/diagnostics";

const annotationComment = /^([ \t]*#[ \t]*annotation:[ \t]*)(.*)$/;

/**
 * The `# annotation:` text in the comment lines directly above a position, with its span;
 * `undefined` without one.
 */
export function annotationAbove(
  source: string,
  position: number,
): { readonly text: string; readonly span: Span } | undefined {
  let lineStart = source.lastIndexOf("\n", position - 1) + 1;
  while (lineStart > 0) {
    const end = lineStart - 1;
    lineStart = source.lastIndexOf("\n", end - 1) + 1;
    const line = source.slice(lineStart, end);
    if (!line.trimStart().startsWith("#")) return undefined;
    const found = annotationComment.exec(line.trimEnd());
    if (found?.[1] === undefined || found[2] === undefined) continue;
    const from = lineStart + found[1].length;
    return { text: found[2], span: { from, to: from + found[2].length } };
  }
  return undefined;
}
