import { type Tree, TreeFragment } from "@lezer/common";
import { parser } from "@lezer/python";

/**
 * An edit costs at least one buffer of the tree, which is read again as a whole. One of the usual
 * length, 1,024, holds all of a short program; with this one an edit takes a quarter of the time.
 */
const strictParser = parser.configure({ strict: true, bufferLength: 128 });

/** Units of a malformed text that the grammar's own recovery may look at: it can be slow. */
export const recoveryBudget = 8_000;

/** The grammar's trees of a text. */
export interface TreeReader {
  /** None of a malformed text. */
  readonly strict: (source: string) => Tree | undefined;
  /** None of a text that is malformed and long. */
  readonly read: (source: string) => Tree | undefined;
}

/**
 * Trees of one text that is being edited. The tree of the last well-formed text is kept, and of it
 * whatever an edit leaves alone is not parsed again.
 */
export function createTreeReader(): TreeReader {
  let good: { readonly source: string; readonly tree: Tree } | undefined;
  let malformed: string | undefined;
  const strict = (source: string): Tree | undefined => {
    if (good?.source === source) return good.tree;
    if (malformed === source) return undefined;
    const tree = strictTree(source, good && unchangedParts(good, source));
    if (tree === undefined) malformed = source;
    else good = { source, tree };
    return tree;
  };
  const read = (source: string) =>
    strict(source) ?? (source.length <= recoveryBudget ? parser.parse(source) : undefined);
  return { strict, read };
}

/** The grammar's tree of a text; none of one that is malformed and long. */
export function readTree(source: string): Tree | undefined {
  return createTreeReader().read(source);
}

/** The tree of a well-formed text; none of another. */
export function strictTree(text: string, fragments?: readonly TreeFragment[]): Tree | undefined {
  try {
    return strictParser.parse(text, fragments);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What of an earlier tree holds in a text that differs in one place. */
function unchangedParts(
  { source: before, tree }: { readonly source: string; readonly tree: Tree },
  after: string,
): readonly TreeFragment[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const change = {
    fromA: start,
    toA: before.length - end,
    fromB: start,
    toB: after.length - end,
  };
  return TreeFragment.applyChanges(TreeFragment.addTree(tree), [change]);
}
