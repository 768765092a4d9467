import type { RunResult } from "#execute/verify";
import type { RunEngines } from "./run-engines.ts";
import { lookAt } from "./run-look.ts";
import type { LookQuestion, RunAnswer, RunnerQuestion, RunQuestion } from "./run-protocol.ts";
import { refusalOf, verdictOf } from "./run-verdict.ts";

/** A run under way. */
interface Running {
  readonly id: number;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/**
 * Answers questions about runs, one at a time; it keeps what the last run left behind, and what its
 * engines have compiled. A run that is no longer wanted ends before the next one begins.
 */
export function createRunHost(engines: RunEngines, post: (answer: RunAnswer) => void) {
  let last: RunResult | undefined;
  let running: Running | undefined;
  const run = async (question: RunQuestion, signal: AbortSignal) => {
    const { id } = question;
    last?.ran.run.release?.();
    last = undefined;
    const { verdict, result } = await verdictOf(
      question,
      engines,
      (progress) => {
        if (!signal.aborted) post({ kind: "progress", id, progress });
      },
      signal,
    );
    if (signal.aborted) {
      result?.ran.run.release?.();
      return;
    }
    last = result;
    post({ kind: "ran", id, verdict });
  };
  const look = async ({ id, look }: LookQuestion) =>
    post({ kind: "seen", id, seen: await lookAt(last, look) });
  const begin = (question: RunQuestion) => {
    const { id } = question;
    const abort = new AbortController();
    const before = running?.ended ?? Promise.resolve();
    const ended = before
      .then(() => (abort.signal.aborted ? undefined : run(question, abort.signal)))
      .catch((fault: unknown) => {
        if (!abort.signal.aborted) post(faultAnswer(id, fault));
      });
    running = { id, abort, ended };
    return ended;
  };
  const cancel = async (id: number) => {
    if (running?.id === id) {
      running.abort.abort();
      await running.ended;
    }
    post({ kind: "cancelled", id });
  };
  return async (question: RunnerQuestion): Promise<void> => {
    switch (question.kind) {
      case "run":
        return begin(question);
      case "cancel":
        return cancel(question.id);
      case "look":
        return look(question).catch((fault: unknown) => post(faultAnswer(question.id, fault)));
    }
  };
}

/** What is said of an exception: a refusal, or a fault of ours. */
function faultAnswer(id: number, fault: unknown): RunAnswer {
  const verdict = refusalOf(fault);
  if (verdict !== undefined) return { kind: "ran", id, verdict };
  return { kind: "failed", id, message: fault instanceof Error ? fault.message : `${fault}` };
}
