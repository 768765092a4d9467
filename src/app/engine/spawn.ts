import { startWorker } from "#app/worker-start";
import type { Searches } from "./plan-protocol.ts";
import type { QuestionPort } from "./question-client.ts";
import type { PublishedQuestions } from "./read-published.ts";
import type { BodyQuestions, RunQuestions } from "./run-protocol.ts";

/** Starts a worker that runs programs; its code loads at the first run. */
function spawnRunner(): QuestionPort<RunQuestions> {
  return startWorker("runner");
}

/** Starts a worker for body checks, separate from runs so that neither blocks the other. */
function spawnBodyChecker(): QuestionPort<BodyQuestions> {
  return startWorker("bodies");
}

/** Starts a worker that plans programs. */
export function spawnPlanner(): QuestionPort<Searches> {
  return startWorker("planner");
}

/** Starts a worker that reads published files; each format's reader loads on first use. */
function spawnReader(): QuestionPort<PublishedQuestions> {
  return startWorker("reader");
}

/** Functions that start workers, for the parts of the page that need them. */
export const spawners = {
  bodyChecker: spawnBodyChecker,
  reader: spawnReader,
  runner: spawnRunner,
} as const;
