export type { Token, TokenKind } from "./token.ts";
export { tokensOf } from "./tokens.ts";
