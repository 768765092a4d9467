import type { RunResult } from "#execute/verify";
import type { Handlers } from "./question.ts";
import type { RunEngines } from "./run-engines.ts";
import { lookAt } from "./run-look.ts";
import type { RunProgress, RunQuestions, RunRequest, RunVerdict } from "./run-protocol.ts";
import { verdictOf } from "./run-verdict.ts";

/** A run under way. */
interface Running {
  readonly abort: AbortController;
  /** Resolves when it has ended in any way. */
  readonly ended: Promise<unknown>;
}

/**
 * Answers questions about runs, one at a time; keeps the last run's results, and its engines'
 * compiled code. A cancelled run ends before the next one begins.
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
