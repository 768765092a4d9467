// Settings of trainers and servers, read by what their tools publish.

export { holdsSettings, readSettings } from "./read-settings.ts";
export type { ParallelSettings } from "./settings.ts";
