import { type Fold, foldsOf } from "./folds.ts";
import { type NameUse, namesOf } from "./names.ts";
import { createTreeReader } from "./read-tree.ts";
import type { Token } from "./token.ts";
import { createTokenizer } from "./tokens.ts";

/** Syntax queries on a text: tokens, names and folds. */
export interface Grammar {
  readonly tokensOf: (source: string) => readonly Token[];
  readonly namesOf: (source: string) => readonly NameUse[];
  readonly foldsOf: (source: string) => readonly Fold[];
}

/**
 * `tokensOf`, `namesOf` and `foldsOf` for a text that is being edited: each version is parsed once
 * for all three, and only as far as an edit changed it.
 */
export function createGrammar(): Grammar {
  let reads: ReturnType<typeof createReads> | undefined;
  // The grammar is loaded on the first call.
  const asked = () => {
    reads ??= createReads();
    return reads;
  };
  return {
    tokensOf: (source) => asked().tokensOf(source),
    namesOf: (source) => namesOf(source, asked().read(source)),
    foldsOf: (source) => foldsOf(source, asked().read(source)),
  };
}

function createReads() {
  const trees = createTreeReader();
  return { tokensOf: createTokenizer(trees), read: trees.read };
}
