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
  /** Stops what runs, at once; its reply is `superseded`. A worker that goes on is ended soon after. */
  stop(): void;
}

/** A run may take this long before its worker is given up, in milliseconds. */
const deadlineMilliseconds = 60_000;

/** A worker has so long to end a run that is no longer wanted, in milliseconds. */
const patienceMilliseconds = 1_000;

type RunPort = Port<RunnerQuestion, RunAnswer>;

/** Joins runs to their worker; `spawn` starts one, when it is first needed and after each stop. */
export function createRunner(spawn: () => RunPort, timer: Timer): Runner {
  const worker = new RunWorker(spawn, timer);
  return {
    run: (request, onProgress) => worker.run(request, onProgress),
    look: (look) => worker.look(look),
    stop: () => worker.stop(),
  };
}

interface Job {
  readonly question: RunQuestion;
  readonly settle: (reply: Reply<RunVerdict>) => void;
  readonly onProgress: (progress: RunProgress) => void;
}

const nothing: Seen = { kind: "nothing", why: "the run is no longer there" };

/**
 * A run is stopped by telling its worker, which keeps what it has compiled; one that is too busy to
 * hear is ended, and what it has been asked since is asked of another.
 */
class RunWorker {
  private readonly spawn: () => RunPort;
  private readonly timer: Timer;
  private readonly looks = new Map<number, (seen: Seen) => void>();
  /** Runs that are to end, and how to call off that their worker is ended for it. */
  private readonly ending = new Map<number, () => void>();
  private port: RunPort | undefined;
  private job: Job | undefined;
  private last = 0;
  private cancelDeadline: () => void = () => {};

  constructor(spawn: () => RunPort, timer: Timer) {
    this.spawn = spawn;
    this.timer = timer;
  }

  run(request: RunRequest, onProgress: Job["onProgress"]): Promise<Reply<RunVerdict>> {
    this.stop();
    this.last += 1;
    const question = { ...request, kind: "run", id: this.last } as const;
    return new Promise((settle) => {
      this.job = { question, settle, onProgress };
      this.cancelDeadline = this.timer(deadlineMilliseconds, () => {
        this.end();
        this.finish({
          kind: "failed",
          message: `no answer within ${deadlineMilliseconds / 1000} s`,
        });
      });
      this.port ??= this.open();
      this.port.postMessage(question);
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

  /** Gives up the run under way. */
  stop(): void {
    const { job, port } = this;
    if (job === undefined || port === undefined) return;
    const { id } = job.question;
    this.ending.set(
      id,
      this.timer(patienceMilliseconds, () => this.replace()),
    );
    port.postMessage({ kind: "cancel", id });
    this.finish({ kind: "superseded" });
  }

  private replace(): void {
    this.end();
    if (this.job === undefined) return;
    this.port = this.open();
    this.port.postMessage(this.job.question);
  }

  private end(): void {
    this.port?.terminate();
    this.port = undefined;
    for (const settle of this.looks.values()) settle(nothing);
    this.looks.clear();
    for (const callOff of this.ending.values()) callOff();
    this.ending.clear();
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
    if (answer.kind === "cancelled") {
      this.ending.get(answer.id)?.();
      this.ending.delete(answer.id);
    }
    if (answer.id !== this.job?.question.id) return;
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
