import type { Port } from "./lane.ts";

/** Starts a compiler worker: a module of its own, so the main thread only paints. */
export function spawnCompiler(): Port {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "compiler" });
}
