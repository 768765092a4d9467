import type { Searches } from "./plan-protocol.ts";
import type { QuestionPort } from "./question-client.ts";
import type { BodyQuestions, RunQuestions } from "./run-protocol.ts";

/** Starts a worker that runs programs; it loads only when the first run is asked for. */
export function spawnRunner(): QuestionPort<RunQuestions> {
  return runWorker();
}

/** Starts a worker for checks of bodies: another one than for runs, so that neither waits. */
export function spawnBodyChecker(): QuestionPort<BodyQuestions> {
  return runWorker();
}

/** Starts a worker that plans programs; it loads only when a plan is asked for. */
export function spawnPlanner(): QuestionPort<Searches> {
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
