import { type Reply, unanswered } from "./reply.ts";
import type {
  Look,
  RunAnswer,
  RunnerQuestion,
  RunProgress,
  RunQuestion,
  RunVerdict,
  Seen,
} from "./run-protocol.ts";
import { type Loss, type Port, type Timer, WorkerClient } from "./worker-client.ts";

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
  const runs = new Runs(spawn, timer);
  return {
    run: (request, onProgress) => runs.run(request, onProgress),
    look: (look) => runs.look(look),
    stop: () => runs.stop(),
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
class Runs {
  private readonly worker: WorkerClient<RunnerQuestion, RunAnswer>;
  private job: Job | undefined;

  constructor(spawn: () => RunPort, timer: Timer) {
    this.worker = new WorkerClient(spawn, timer);
  }

  run(request: RunRequest, onProgress: Job["onProgress"]): Promise<Reply<RunVerdict>> {
    this.stop();
    const question = { ...request, kind: "run", id: this.worker.nextId() } as const;
    return new Promise((settle) => {
      this.job = { question, settle, onProgress };
      this.begin(this.job);
    });
  }

  look(look: Look): Promise<Seen> {
    const { worker } = this;
    if (!worker.isStarted || this.job !== undefined) return Promise.resolve(nothing);
    const id = worker.nextId();
    return new Promise((settle) => {
      const hear = (answer: RunAnswer) => {
        worker.settle(id);
        settle(seenIn(answer));
      };
      worker.ask({ kind: "look", id, look }, { hear, lose: () => settle(nothing) });
    });
  }

  /** Gives up the run under way. */
  stop(): void {
    if (this.job === undefined) return;
    const { id } = this.job.question;
    this.finish({ kind: "superseded" });
    const hear = ({ kind }: RunAnswer) => {
      if (kind === "cancelled") this.worker.settle(id);
    };
    this.worker.ask({ kind: "cancel", id }, { hear, lose: () => {} }, patienceMilliseconds);
  }

  private begin(job: Job): void {
    const { question } = job;
    const lose = ({ late, message }: Loss) => {
      const isOwn = late === undefined || late === question.id;
      if (isOwn) this.finish(unanswered(message));
      else this.begin(job);
    };
    const hear = (answer: RunAnswer) => this.hear(answer, job);
    this.worker.ask(question, { hear, lose }, deadlineMilliseconds);
  }

  private finish(reply: Reply<RunVerdict>): void {
    const { job } = this;
    this.job = undefined;
    if (job === undefined) return;
    this.worker.settle(job.question.id);
    job.settle(reply);
  }

  private hear(answer: RunAnswer, { onProgress }: Job): void {
    switch (answer.kind) {
      case "progress":
        onProgress(answer.progress);
        return;
      case "ran":
        this.finish({ kind: "done", value: answer.verdict });
        return;
      case "failed":
        this.finish(unanswered(answer.message));
    }
  }
}

function seenIn(answer: RunAnswer): Seen {
  if (answer.kind === "seen") return answer.seen;
  return answer.kind === "failed" ? { kind: "nothing", why: answer.message } : nothing;
}
