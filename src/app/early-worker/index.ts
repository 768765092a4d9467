import type { CompilerPort } from "#app/engine";
import { startWorker } from "#app/worker-start";
import { startWorkersByText } from "./sandbox.ts";

if (self.origin === "null") startWorkersByText();

const start = () => startWorker("compiler");

/** A worker, and whether it failed to load before anybody listened to it. */
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
 * module before all others: the worker loads while they do.
 */
const early = startEarly();

/** Starts a compiler worker per call; the first call gets the one that loads already. */
export function createCompilerSpawner(): () => CompilerPort {
  let ready: Worker | undefined = early.worker;
  return () => {
    const taken = ready;
    ready = undefined;
    return taken === undefined || early.loading.hasFailed ? start() : taken;
  };
}
