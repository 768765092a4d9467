/** The kinds of requests that a worker answers. */
type Role = "compiler" | "runner" | "bodies" | "planner" | "reader";

/**
 * Starts a worker of the app. All workers are started here and share one script address, since a
 * build emits one bundle for each place that names it.
 */
export function startWorker(name: Role): Worker {
  return new Worker(new URL("../engine/worker.ts", import.meta.url), { type: "module", name });
}
