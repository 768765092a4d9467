export { type Token, tokensOf } from "./tokens.ts";
