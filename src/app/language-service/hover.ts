export type { Hover } from "#systems/system/explain";
