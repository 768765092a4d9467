import type { RunResult } from "#execute/verify";
import type { Handlers } from "./question.ts";
import type { RunEngines } from "./run-engines.ts";
import { lookAt } from "./run-look.ts";
import type { RunProgress, RunQuestions, RunRequest, RunVerdict } from "./run-protocol.ts";
import { verdictOf } from "./run-verdict.ts";

/** Run in progress. */
interface Running {
  readonly abort: AbortController;
  /** Resolves when the run has ended, in any way. */
  readonly ended: Promise<unknown>;
}

/**
 * Handlers for questions about runs. Runs execute one at a time: a cancelled run ends before the
 * next begins. The last run's values and the engines' compiled code are kept.
 */
export function createRunHost(engines: RunEngines): Handlers<RunQuestions> {
  let last: RunResult | undefined;
  let running: Running | undefined;
  const run = async (
    request: RunRequest,
    tell: (progress: RunProgress) => void,
    signal: AbortSignal,
  ): Promise<RunVerdict> => {
    signal.throwIfAborted();
    last?.ran.run.release?.();
    last = undefined;
    const say = (progress: RunProgress) => {
      if (!signal.aborted) tell(progress);
    };
    const { verdict, result } = await verdictOf(request, engines, say, signal);
    if (signal.aborted) result?.ran.run.release?.();
    signal.throwIfAborted();
    last = result;
    return verdict;
  };
  return {
    run: (request, tell) => {
      const abort = new AbortController();
      const before = running?.ended ?? Promise.resolve();
      const verdict = before.then(() => run(request, tell, abort.signal));
      running = { abort, ended: verdict.catch(() => {}) };
      return verdict;
    },
    cancel: async () => {
      running?.abort.abort();
      await running?.ended;
      return undefined;
    },
    look: (look) => lookAt(last, look),
  };
}
