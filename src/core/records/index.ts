export { createLruCache } from "./lru-cache.ts";
export { append, fieldOf, groupedBy, isRecord, required, sameItems } from "./records.ts";
export { createById, remembered } from "./remembered.ts";
