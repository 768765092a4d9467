import type { RunResult } from "#execute/verify";
import type { RunEngines } from "./run-engines.ts";
import { lookAt } from "./run-look.ts";
import type { LookQuestion, RunAnswer, RunnerQuestion, RunQuestion } from "./run-protocol.ts";
import { refusalOf, verdictOf } from "./run-verdict.ts";

/** Answers questions about runs, one at a time; it keeps what the last run left behind. */
export function createRunHost(engines: RunEngines, post: (answer: RunAnswer) => void) {
  let last: RunResult | undefined;
  const run = async (question: RunQuestion) => {
    const { id } = question;
    last?.ran.run.release?.();
    last = undefined;
    const { verdict, result } = await verdictOf(question, engines, (progress) =>
      post({ kind: "progress", id, progress }),
    );
    last = result;
    post({ kind: "ran", id, verdict });
  };
  const look = async ({ id, look }: LookQuestion) =>
    post({ kind: "seen", id, seen: await lookAt(last, look) });
  return async (question: RunnerQuestion): Promise<void> => {
    try {
      if (question.kind === "run") await run(question);
      else await look(question);
    } catch (fault) {
      const { id } = question;
      const verdict = refusalOf(fault);
      if (verdict !== undefined) post({ kind: "ran", id, verdict });
      else
        post({ kind: "failed", id, message: fault instanceof Error ? fault.message : `${fault}` });
    }
  };
}
