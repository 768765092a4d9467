/** Which questions a worker answers. */
type Role = "compiler" | "runner" | "bodies" | "planner" | "reader";

/**
 * Starts a worker of the app. All are started here, and run the code of one address: a build makes
 * that once for each place that names it.
 */
export function startWorker(name: Role): Worker {
  return new Worker(new URL("../engine/worker.ts", import.meta.url), { type: "module", name });
}
