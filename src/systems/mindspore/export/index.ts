export type { MindsporeClaims } from "./claims.ts";
export { type MindsporeCell, writeMindspore } from "./write-mindspore.ts";
