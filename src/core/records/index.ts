export { createLruCache, type LruCache } from "./lru-cache.ts";
export { createById, memoized } from "./memoized.ts";
export { plainJson } from "./plain-json.ts";
export {
  append,
  extended,
  fieldOf,
  groupedBy,
  isPlainRecord,
  isRecord,
  required,
  sameItems,
} from "./records.ts";
