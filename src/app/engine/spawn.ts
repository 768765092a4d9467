import type { Searches } from "./plan-protocol.ts";
import type { QuestionPort } from "./question-client.ts";
import type { PublishedQuestions } from "./read-published.ts";
import type { BodyQuestions, RunQuestions } from "./run-protocol.ts";

/** Starts a worker that runs programs; what runs them loads only when the first run is asked for. */
function spawnRunner(): QuestionPort<RunQuestions> {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "runner" });
}

/** Starts a worker for checks of bodies: another one than for runs, so that neither waits. */
function spawnBodyChecker(): QuestionPort<BodyQuestions> {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "bodies" });
}

/** Starts a worker that plans programs; the planner loads only when a plan is asked for. */
export function spawnPlanner(): QuestionPort<Searches> {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "planner" });
}

/** Starts a worker that reads published files; the reader of a format loads when one comes. */
function spawnReader(): QuestionPort<PublishedQuestions> {
  return new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "reader" });
}

/** Starts the workers that the page gives to those that ask them. */
export const spawners = {
  bodyChecker: spawnBodyChecker,
  reader: spawnReader,
  runner: spawnRunner,
} as const;
