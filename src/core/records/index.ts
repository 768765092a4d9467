export { fieldOf } from "./field-of.ts";
export { append, groupedBy } from "./grouped-by.ts";
export { isRecord } from "./is-record.ts";
export { createLruCache } from "./lru-cache.ts";
export { required } from "./required.ts";
export { sameItems } from "./same-items.ts";
