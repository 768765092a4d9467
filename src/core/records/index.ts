export { fieldOf } from "./field-of.ts";
export { isRecord } from "./is-record.ts";
export { createLruCache } from "./lru-cache.ts";
