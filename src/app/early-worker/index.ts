import type { CompilerPort } from "#app/engine";
import { startWorker } from "#app/worker-start";
import { startWorkersByText } from "./sandbox.ts";

if (self.origin === "null") startWorkersByText();

const start = () => startWorker("compiler");

/** A worker, and whether it failed to load before anyone listened to it. */
function startEarly() {
  const worker = start();
  const loading = { hasFailed: false };
  const fail = () => {
    loading.hasFailed = true;
  };
  worker.addEventListener("error", fail, { once: true });
  return { worker, loading };
}

/**
 * The first compiler worker. The first drawing waits longest for its code, so the page imports this
 * module before all others: the worker loads in parallel with them.
 */
const early = startEarly();

/** Spawner of compiler workers; the first call returns the worker that is already loading. */
export function createCompilerSpawner(): () => CompilerPort {
  let ready: Worker | undefined = early.worker;
  return () => {
    const taken = ready;
    ready = undefined;
    return taken === undefined || early.loading.hasFailed ? start() : taken;
  };
}
