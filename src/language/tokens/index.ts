// Tokens of Python, and the context of a position among them.

export { type Fold, foldsOf } from "./folds.ts";
export { createGrammar, type Grammar } from "./grammar.ts";
export { type NameUse, namesOf } from "./names.ts";
export { openBracketsAt } from "./open-calls.ts";
export {
  type CallPlace,
  callAround,
  contains,
  insideOf,
  placeAt,
  type TextPlace,
  typedEnd,
  typedInside,
} from "./place.ts";
export { scanTokens } from "./scan-tokens.ts";
export type { Token } from "./token.ts";
export { createTokenizer, tokensOf } from "./tokens.ts";

// Tokens of JSON.

export {
  type JsonToken,
  jsonFolds,
  jsonText,
  jsonTokens,
  type OpenJson,
  scanJson,
} from "./json.ts";
