export { fieldOf } from "./field-of.ts";
export { isRecord } from "./is-record.ts";
export { createLruCache, type LruCache } from "./lru-cache.ts";
