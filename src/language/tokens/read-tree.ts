import { type Tree, TreeFragment } from "@lezer/common";
import { parser } from "@lezer/python";

/**
 * Parser with small tree buffers. An edit re-parses at least one whole buffer; one of the default
 * length, 1,024, holds all of a short program. With 128 an edit takes a quarter of the time.
 */
const strictParser = parser.configure({ strict: true, bufferLength: 128 });

/**
 * Most UTF-16 units of a malformed text that the grammar's error recovery parses, because it can be
 * slow.
 */
export const recoveryBudget = 8_000;

/** Syntax trees of a text. */
export interface TreeReader {
  /** Tree of a well-formed text; `undefined` for a malformed one. */
  readonly strict: (source: string) => Tree | undefined;
  /** Tree with error recovery; `undefined` for a malformed text that is long. */
  readonly read: (source: string) => Tree | undefined;
}

/**
 * Syntax trees of a text that is being edited. The tree of the last well-formed text is kept, and
 * unchanged parts are not parsed again.
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

/** Syntax tree of a text; `undefined` when it is malformed and long. */
export function readTree(source: string): Tree | undefined {
  return createTreeReader().read(source);
}

/** Syntax tree of a well-formed text; `undefined` for a malformed one. */
export function strictTree(text: string, fragments?: readonly TreeFragment[]): Tree | undefined {
  try {
    return strictParser.parse(text, fragments);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Fragments of an earlier tree that are still valid for a text that differs in one place. */
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
