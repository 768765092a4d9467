import type { QuestionPort } from "./question-client.ts";
import type { Reply } from "./reply.ts";
import type { RunQuestions, RunVerdict } from "./run-protocol.ts";
import type { Runner } from "./runner.ts";
import type { Timer } from "./worker-client.ts";

/**
 * Runner whose code is loaded with the first run. A run stopped or replaced during loading is
 * `superseded`; if loading fails, the run is `failed`.
 *
 * @param load loads the code; called again after a failure
 */
export function lateRunner(
  spawn: () => QuestionPort<RunQuestions>,
  timer: Timer,
  load = () => import("./runner.ts"),
): Runner {
  let runner: Runner | undefined;
  let newest = 0;
  const begun = async () => {
    runner ??= (await load()).createRunner(spawn, timer);
    return runner;
  };
  return {
    run: async (request, onProgress): Promise<Reply<RunVerdict>> => {
      newest += 1;
      const mine = newest;
      const found = await begun().catch(() => undefined);
      if (mine !== newest) return { kind: "superseded" };
      return (
        found?.run(request, onProgress) ?? {
          kind: "failed",
          message: "a part of the program could not be loaded",
        }
      );
    },
    look: async (look) =>
      runner?.look(look) ?? { kind: "nothing", why: "the run is no longer there" },
    stop: () => {
      newest += 1;
      runner?.stop();
    },
  };
}
