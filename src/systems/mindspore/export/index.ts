export type { MindsporeClaims } from "./claims.ts";
export { mindsporeCode } from "./code-writer.ts";
export type { MindsporeCell } from "./write-mindspore.ts";
