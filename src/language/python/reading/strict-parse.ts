import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/python";

/** Ends at the first fault, which makes it linear in the length of the text. */
export const strictParser = parser.configure({ strict: true });

/** A part of a text. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The top-level nodes, or `undefined` where the grammar finds a fault.
 *
 * @param parts what is read, as if nothing stood between; all of the text when unsaid
 */
export function parseStrictly(
  text: string,
  parts?: readonly Range[],
): readonly SyntaxNode[] | undefined {
  if (parts?.length === 0) return [];
  try {
    return childrenOf(strictParser.parse(text, undefined, parts).topNode);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The nodes inside a node, comments left out. */
export function childrenOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== "Comment") children.push(child);
  }
  return children;
}
