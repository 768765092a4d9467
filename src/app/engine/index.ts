export { createEngine, type Engine, type Reply } from "./engine.ts";
export type { Port, Timer } from "./lane.ts";
export { type Figures, figuresOf, type Preview } from "./protocol.ts";
export { spawnCompiler } from "./spawn.ts";
