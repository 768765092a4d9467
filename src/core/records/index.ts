export { createLruCache, type LruCache } from "./lru-cache.ts";
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
export { createById, remembered } from "./remembered.ts";
