import { startWorker } from "#app/worker-start";
import type { Searches } from "./plan-protocol.ts";
import type { QuestionPort } from "./question-client.ts";
import type { PublishedQuestions } from "./read-published.ts";
import type { BodyQuestions, RunQuestions } from "./run-protocol.ts";

/** Starts a worker that runs programs; its code loads with the first run. */
function spawnRunner(): QuestionPort<RunQuestions> {
  return startWorker("runner");
}

/** Starts a worker for checks of bodies: another one than for runs, so that neither waits. */
function spawnBodyChecker(): QuestionPort<BodyQuestions> {
  return startWorker("bodies");
}

/** Starts a worker that plans programs; the planner loads only when a plan is asked for. */
export function spawnPlanner(): QuestionPort<Searches> {
  return startWorker("planner");
}

/** Starts a worker that reads published files; the reader of a format loads when one comes. */
function spawnReader(): QuestionPort<PublishedQuestions> {
  return startWorker("reader");
}

/** Starts the workers that the page gives to those that ask them. */
export const spawners = {
  bodyChecker: spawnBodyChecker,
  reader: spawnReader,
  runner: spawnRunner,
} as const;
