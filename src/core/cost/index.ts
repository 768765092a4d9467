export type { Cost, Hardware, Memory } from "./cost.ts";
