import type { Reply } from "./engine.ts";
import type { Port, Timer } from "./lane.ts";
import type { RunAnswer, RunQuestion, RunStage, RunVerdict } from "./run-protocol.ts";

/** What to run: a text, perhaps without one of its collectives. */
export type RunRequest = Omit<RunQuestion, "id">;

/** Runs programs on a worker of their own, one at a time. */
export interface Runner {
  /** Runs a program; what runs already is stopped, and its reply is `superseded`. */
  run(request: RunRequest, onStage: (stage: RunStage) => void): Promise<Reply<RunVerdict>>;
  /** Stops what runs; its reply is `superseded`. */
  stop(): void;
}

/** A run may take this long before its worker is given up, in milliseconds. */
const deadlineMilliseconds = 60_000;

/** Joins runs to their worker; `spawn` starts one, when it is first needed and after each stop. */
export function createRunner(spawn: () => Port<RunQuestion, RunAnswer>, timer: Timer): Runner {
  const worker = new RunWorker(spawn, timer);
  return {
    run: (request, onStage) => worker.run(request, onStage),
    stop: () => worker.stop({ kind: "superseded" }),
  };
}

interface Job {
  readonly id: number;
  readonly settle: (reply: Reply<RunVerdict>) => void;
  readonly onStage: (stage: RunStage) => void;
}

/** A run keeps its worker busy until it ends, so it is stopped by ending the worker. */
class RunWorker {
  private readonly spawn: () => Port<RunQuestion, RunAnswer>;
  private readonly timer: Timer;
  private port: Port<RunQuestion, RunAnswer> | undefined;
  private job: Job | undefined;
  private last = 0;
  private cancelDeadline: () => void = () => {};

  constructor(spawn: () => Port<RunQuestion, RunAnswer>, timer: Timer) {
    this.spawn = spawn;
    this.timer = timer;
  }

  run(request: RunRequest, onStage: (stage: RunStage) => void): Promise<Reply<RunVerdict>> {
    this.stop({ kind: "superseded" });
    this.last += 1;
    const id = this.last;
    return new Promise((settle) => {
      this.job = { id, settle, onStage };
      this.cancelDeadline = this.timer(deadlineMilliseconds, () =>
        this.stop({ kind: "failed", message: `no answer within ${deadlineMilliseconds / 1000} s` }),
      );
      this.port ??= this.open();
      this.port.postMessage({ ...request, id });
    });
  }

  /** Ends the run under way, and its worker with it. */
  stop(reply: Reply<RunVerdict>): void {
    if (this.job === undefined) return;
    this.port?.terminate();
    this.port = undefined;
    this.finish(reply);
  }

  private finish(reply: Reply<RunVerdict>): void {
    this.cancelDeadline();
    const { job } = this;
    this.job = undefined;
    job?.settle(reply);
  }

  private open(): Port<RunQuestion, RunAnswer> {
    const port = this.spawn();
    port.addEventListener("message", (event) => {
      if (port === this.port) this.hear(event.data);
    });
    port.addEventListener("error", (event) => {
      if (port !== this.port) return;
      const message = event.message || "its worker could not be loaded";
      this.stop({ kind: "failed", message });
      port.terminate();
      this.port = undefined;
    });
    return port;
  }

  private hear(answer: RunAnswer): void {
    if (answer.id !== this.job?.id) return;
    switch (answer.kind) {
      case "stage":
        this.job.onStage(answer.stage);
        return;
      case "ran":
        this.finish({ kind: "done", value: answer.verdict });
        return;
      case "failed":
        this.finish({ kind: "failed", message: answer.message });
    }
  }
}
