// Parallel settings of trainers and servers, interpreted as their tools document them.

export { holdsSettings, readSettings } from "./read-settings.ts";
export type { ParallelSettings } from "./settings.ts";
