import type { CompilerPort } from "#app/engine";

function start(): Worker {
  return new Worker(new URL("../engine/worker.ts", import.meta.url), {
    type: "module",
    name: "compiler",
  });
}

/** A worker, and whether its code could not be loaded before somebody listened. */
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
 * The first compiler. Its code is what a first picture waits for longest, so the page names this
 * module before all others: it is loaded while theirs still comes.
 */
const early = startEarly();

/** Starts compiler workers: the first one is under way already. */
export function createCompilerSpawner(): () => CompilerPort {
  let ready: Worker | undefined = early.worker;
  return () => {
    const taken = ready;
    ready = undefined;
    return taken === undefined || early.loading.hasFailed ? start() : taken;
  };
}
