import type { Reply } from "./engine.ts";
import type { Port, Timer } from "./lane.ts";
import type {
  Look,
  RunAnswer,
  RunnerQuestion,
  RunProgress,
  RunQuestion,
  RunVerdict,
  Seen,
} from "./run-protocol.ts";

/** What to run, how, and with which fault put in. */
export type RunRequest = Omit<RunQuestion, "id" | "kind">;

/** Runs programs on a worker of their own, one at a time. */
export interface Runner {
  /** Runs a program; what runs already is stopped, and its reply is `superseded`. */
  run(request: RunRequest, onProgress: (progress: RunProgress) => void): Promise<Reply<RunVerdict>>;
  /** Looks at what the last run left behind, which stays with the worker. */
  look(look: Look): Promise<Seen>;
  /** Stops what runs, at once; its reply is `superseded`. */
  stop(): void;
}

/** A run may take this long before its worker is given up, in milliseconds. */
const deadlineMilliseconds = 60_000;

type RunPort = Port<RunnerQuestion, RunAnswer>;

/** Joins runs to their worker; `spawn` starts one, when it is first needed and after each stop. */
export function createRunner(spawn: () => RunPort, timer: Timer): Runner {
  const worker = new RunWorker(spawn, timer);
  return {
    run: (request, onProgress) => worker.run(request, onProgress),
    look: (look) => worker.look(look),
    stop: () => worker.stop({ kind: "superseded" }),
  };
}

interface Job {
  readonly id: number;
  readonly settle: (reply: Reply<RunVerdict>) => void;
  readonly onProgress: (progress: RunProgress) => void;
}

const nothing: Seen = { kind: "nothing", why: "the run is no longer there" };

/** A run keeps its worker busy until it ends, so it is stopped by ending the worker. */
class RunWorker {
  private readonly spawn: () => RunPort;
  private readonly timer: Timer;
  private readonly looks = new Map<number, (seen: Seen) => void>();
  private port: RunPort | undefined;
  private job: Job | undefined;
  private last = 0;
  private cancelDeadline: () => void = () => {};

  constructor(spawn: () => RunPort, timer: Timer) {
    this.spawn = spawn;
    this.timer = timer;
  }

  run(request: RunRequest, onProgress: Job["onProgress"]): Promise<Reply<RunVerdict>> {
    this.stop({ kind: "superseded" });
    this.last += 1;
    const id = this.last;
    return new Promise((settle) => {
      this.job = { id, settle, onProgress };
      this.cancelDeadline = this.timer(deadlineMilliseconds, () =>
        this.stop({ kind: "failed", message: `no answer within ${deadlineMilliseconds / 1000} s` }),
      );
      this.port ??= this.open();
      this.port.postMessage({ ...request, kind: "run", id });
    });
  }

  look(look: Look): Promise<Seen> {
    const { port } = this;
    if (port === undefined || this.job !== undefined) return Promise.resolve(nothing);
    this.last += 1;
    const id = this.last;
    return new Promise((settle) => {
      this.looks.set(id, settle);
      port.postMessage({ kind: "look", id, look });
    });
  }

  /** Ends the run under way, and its worker with it. */
  stop(reply: Reply<RunVerdict>): void {
    if (this.job === undefined) return;
    this.end();
    this.finish(reply);
  }

  private end(): void {
    this.port?.terminate();
    this.port = undefined;
    for (const settle of this.looks.values()) settle(nothing);
    this.looks.clear();
  }

  private finish(reply: Reply<RunVerdict>): void {
    this.cancelDeadline();
    const { job } = this;
    this.job = undefined;
    job?.settle(reply);
  }

  private open(): RunPort {
    const port = this.spawn();
    port.addEventListener("message", (event) => {
      if (port === this.port) this.hear(event.data);
    });
    port.addEventListener("error", (event) => {
      if (port !== this.port) return;
      const message = event.message || "its worker could not be loaded";
      this.end();
      this.finish({ kind: "failed", message });
    });
    return port;
  }

  private hear(answer: RunAnswer): void {
    if (this.looks.has(answer.id)) this.show(answer);
    if (answer.id !== this.job?.id) return;
    switch (answer.kind) {
      case "progress":
        this.job.onProgress(answer.progress);
        return;
      case "ran":
        this.finish({ kind: "done", value: answer.verdict });
        return;
      case "failed":
        this.finish({ kind: "failed", message: answer.message });
    }
  }

  private show(answer: RunAnswer): void {
    const settle = this.looks.get(answer.id);
    this.looks.delete(answer.id);
    if (answer.kind === "seen") settle?.(answer.seen);
    else settle?.(answer.kind === "failed" ? { kind: "nothing", why: answer.message } : nothing);
  }
}
