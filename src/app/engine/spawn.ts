import type { PlanAskedOnce, PlanWord } from "./plan-protocol.ts";
import type { BodyAnswer, BodyQuestion, RunAnswer, RunnerQuestion } from "./run-protocol.ts";
import type { Port } from "./worker-client.ts";

/** Starts a worker that runs programs; it loads only when the first run is asked for. */
export function spawnRunner(): Port<RunnerQuestion, RunAnswer> {
  return runWorker();
}

/** Starts one that checks bodies of functions, beside the runs that are asked for. */
export function spawnBodyChecker(): Port<BodyQuestion, BodyAnswer> {
  return runWorker();
}

/** Starts a worker that plans programs; it loads only when a plan is asked for. */
export function spawnPlanner(): Port<PlanAskedOnce, PlanWord> {
  return new Worker(new URL("./plan-worker.ts", import.meta.url), {
    type: "module",
    name: "planner",
  });
}

function runWorker(): Worker {
  return new Worker(new URL("./run-worker.ts", import.meta.url), {
    type: "module",
    name: "runner",
  });
}
