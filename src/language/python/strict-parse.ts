import type { SyntaxNode } from "@lezer/common";
import { parser } from "@lezer/python";

/** Ends at the first fault, which makes it linear in the length of the text. */
export const strictParser = parser.configure({ strict: true });

/** The top-level nodes, or `undefined` where the grammar finds a fault. */
export function parseStrictly(text: string): readonly SyntaxNode[] | undefined {
  try {
    return childrenOf(strictParser.parse(text).topNode);
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
