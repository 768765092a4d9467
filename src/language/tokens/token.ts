/** Kind of a coloured token. `function` is a name that is called or defined. */
export type TokenKind =
  | "comment"
  | "keyword"
  | "constant"
  | "string"
  | "escape"
  | "number"
  | "name"
  | "function"
  | "class"
  | "property"
  | "parameter"
  | "decorator"
  | "operator"
  | "punctuation"
  | "invalid";

/** A coloured token at `[from, to)` in UTF-16 units. */
export interface Token {
  readonly from: number;
  readonly to: number;
  readonly kind: TokenKind;
}
