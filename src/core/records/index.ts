export { fieldOf } from "./field-of.ts";
export { isRecord } from "./is-record.ts";
export { createRecent, type Recent } from "./recent.ts";
