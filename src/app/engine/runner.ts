import { type Pending, QuestionClient, type QuestionPort } from "./question-client.ts";
import { type Reply, superseded } from "./reply.ts";
import type {
  InspectRequest,
  InspectResult,
  RunProgress,
  RunQuestions,
  RunRequest,
  RunVerdict,
} from "./run-protocol.ts";
import type { Timer } from "./worker-client.ts";

/** Client of the run worker; one run at a time. */
export interface Runner {
  /** Runs a program; a run in progress is stopped with the reply `superseded`. */
  run(request: RunRequest, onProgress: (progress: RunProgress) => void): Promise<Reply<RunVerdict>>;
  /** Values of the last run, which the worker keeps. */
  look(look: InspectRequest): Promise<InspectResult>;
  /**
   * Stops the current run at once, with the reply `superseded`. If the worker does not end the run
   * soon, the worker is ended.
   */
  stop(): void;
}

/** Time limit of a run in milliseconds. */
const deadlineMilliseconds = 180_000;

/** Time limit in milliseconds of a run with all layers and sizes, on the reader's request. */
const wholeDeadlineMilliseconds = 3_600_000;

/** Time in milliseconds that a worker gets to end a stopped run. */
const patienceMilliseconds = 100;

type Spawn = () => QuestionPort<RunQuestions>;

/** Creates a runner; `spawn` starts a worker on first use and after the previous one has ended. */
export function createRunner(spawn: Spawn, timer: Timer): Runner {
  const runs = new Runs(spawn, timer);
  return {
    run: (request, onProgress) => runs.run(request, onProgress),
    look: (look) => runs.look(look),
    stop: () => runs.stop(),
  };
}

/** Reply if the run's worker has ended or is running another program. */
const runIsGone: InspectResult = { kind: "nothing", why: "the run is no longer there" };

/**
 * A run is stopped by a message, so its worker can keep its compiled code. A worker too busy to
 * react is ended, and runs requested since then go to a new one.
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

  async look(look: InspectRequest): Promise<InspectResult> {
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

  /** Stops the current run. */
  stop(): void {
    const { running } = this;
    if (running === undefined) return;
    this.running = undefined;
    running.giveUp(superseded);
    this.client.ask("cancel", {}, { milliseconds: patienceMilliseconds });
  }
}
