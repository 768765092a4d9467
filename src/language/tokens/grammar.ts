import { type Fold, foldsOf } from "./folds.ts";
import { type NameUse, namesOf } from "./names.ts";
import { createTreeReader } from "./read-tree.ts";
import type { Token } from "./token.ts";
import { createTokenizer } from "./tokens.ts";

/** What the grammar tells of a text. */
export interface Grammar {
  readonly tokensOf: (source: string) => readonly Token[];
  readonly namesOf: (source: string) => readonly NameUse[];
  readonly foldsOf: (source: string) => readonly Fold[];
}

/**
 * `tokensOf`, `namesOf` and `foldsOf` for a text that is being edited: each version is read once for
 * all of them, and no more of it than what an edit has changed.
 */
export function createGrammar(): Grammar {
  const trees = createTreeReader();
  return {
    tokensOf: createTokenizer(trees),
    namesOf: (source) => namesOf(source, trees.read(source)),
    foldsOf: (source) => foldsOf(source, trees.read(source)),
  };
}
