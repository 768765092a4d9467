import { type Pending, QuestionClient, type QuestionPort } from "./question-client.ts";
import { type Reply, superseded } from "./reply.ts";
import type {
  Look,
  RunProgress,
  RunQuestions,
  RunRequest,
  RunVerdict,
  Seen,
} from "./run-protocol.ts";
import type { Timer } from "./worker-client.ts";

/** Runs programs on a worker of their own, one at a time. */
export interface Runner {
  /** Runs a program; a run under way is stopped, with the reply `superseded`. */
  run(request: RunRequest, onProgress: (progress: RunProgress) => void): Promise<Reply<RunVerdict>>;
  /** Reads numbers of the last run, which stay in the worker. */
  look(look: Look): Promise<Seen>;
  /**
   * Stops the run under way at once, with the reply `superseded`. A worker that goes on is ended
   * soon after.
   */
  stop(): void;
}

/** Milliseconds of a run after which its worker is given up. */
const deadlineMilliseconds = 180_000;

/** The deadline, in milliseconds, for all layers and sizes on the reader's request. */
const wholeDeadlineMilliseconds = 3_600_000;

/** Milliseconds that a worker gets to end a stopped run. */
const patienceMilliseconds = 100;

type Spawn = () => QuestionPort<RunQuestions>;

/** Joins runs to their worker; `spawn` starts one, when it is first needed and after each stop. */
export function createRunner(spawn: Spawn, timer: Timer): Runner {
  const runs = new Runs(spawn, timer);
  return {
    run: (request, onProgress) => runs.run(request, onProgress),
    look: (look) => runs.look(look),
    stop: () => runs.stop(),
  };
}

/** The answer to a look at a run whose worker has ended, or runs another one. */
const runIsGone: Seen = { kind: "nothing", why: "the run is no longer there" };

/**
 * A run is stopped by telling its worker, which keeps what it has compiled; a worker that is too
 * busy to hear that is ended, and the runs asked for since are asked of a fresh one.
 */
class Runs {
  private readonly client: QuestionClient<RunQuestions>;
  private running: Pending<RunVerdict> | undefined;

  constructor(spawn: Spawn, timer: Timer) {
    this.client = new QuestionClient(spawn, timer);
  }

  async run(
    request: RunRequest,
    onProgress: (progress: RunProgress) => void,
  ): Promise<Reply<RunVerdict>> {
    this.stop();
    const run = this.ask(request, onProgress);
    const reply = await run.reply;
    if (this.running !== run) return reply;
    this.running = undefined;
    const isOnGpu = request.settings.engine === "webgpu" && request.cpuBecause === undefined;
    if (reply.kind !== "failed" || !isOnGpu) return reply;
    onProgress({ stage: "again" });
    return this.run({ ...request, cpuBecause: `its worker ended: ${reply.message}` }, onProgress);
  }

  private ask(
    request: RunRequest,
    onProgress: (progress: RunProgress) => void,
  ): Pending<RunVerdict> {
    const isWhole = request.settings.sizes === "own";
    this.running = this.client.ask("run", request, {
      tell: onProgress,
      milliseconds: isWhole ? wholeDeadlineMilliseconds : deadlineMilliseconds,
      isAskedAgain: true,
    });
    return this.running;
  }

  async look(look: Look): Promise<Seen> {
    if (!this.client.isStarted || this.running !== undefined) return runIsGone;
    const reply = await this.client.ask("look", look).reply;
    switch (reply.kind) {
      case "done":
        return reply.value;
      case "failed":
        return { kind: "nothing", why: reply.message };
      case "superseded":
        return runIsGone;
    }
  }

  /** Gives up the run under way. */
  stop(): void {
    const { running } = this;
    if (running === undefined) return;
    this.running = undefined;
    running.giveUp(superseded);
    this.client.ask("cancel", {}, { milliseconds: patienceMilliseconds });
  }
}
