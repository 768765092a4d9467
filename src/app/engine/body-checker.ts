import type { Diagnostic } from "#core/diagnostics";
import { type Reply, unanswered } from "./reply.ts";
import type { BodyAnswer, BodyQuestion } from "./run-protocol.ts";
import { type Port, type Timer, WorkerClient } from "./worker-client.ts";

/** Holds bodies of registered functions against their annotations, once a text rests. */
export interface BodyChecker {
  /** What is found in a text, as diagnostics; a newer call supersedes an older one. */
  check(source: string): Promise<Reply<readonly Diagnostic[]>>;
}

/** A text is checked when no other one has come for this long, in milliseconds. */
const restMilliseconds = 700;

/** A check may take this long before its worker is given up, in milliseconds. */
const deadlineMilliseconds = 20_000;

/** Joins checks to a worker of their own; `spawn` starts one when the first text rests. */
export function createBodyChecker(
  spawn: () => Port<BodyQuestion, BodyAnswer>,
  timer: Timer,
): BodyChecker {
  const checks = new BodyChecks(spawn, timer);
  return { check: (source) => checks.check(source) };
}

interface Job {
  readonly id: number;
  readonly source: string;
  readonly settle: (reply: Reply<readonly Diagnostic[]>) => void;
}

/** At most one check under way, which is never cut short: the newest text waits for its end. */
class BodyChecks {
  private readonly worker: WorkerClient<BodyQuestion, BodyAnswer>;
  private readonly timer: Timer;
  private newest: Job | undefined;
  private cancelRest: () => void = () => {};

  constructor(spawn: () => Port<BodyQuestion, BodyAnswer>, timer: Timer) {
    this.worker = new WorkerClient(spawn, timer);
    this.timer = timer;
  }

  check(source: string): Promise<Reply<readonly Diagnostic[]>> {
    this.newest?.settle({ kind: "superseded" });
    const id = this.worker.nextId();
    return new Promise((settle) => {
      this.newest = { id, source, settle };
      this.rest();
    });
  }

  private rest(): void {
    this.cancelRest();
    this.cancelRest = this.timer(restMilliseconds, () => this.start());
  }

  private start(): void {
    if (this.newest === undefined || this.worker.isAsked) return;
    const { id, source } = this.newest;
    this.worker.ask(
      { kind: "bodies", id, source },
      {
        hear: (answer) => this.finish(id, replyOf(answer)),
        lose: ({ message }) => this.finish(id, unanswered(message)),
      },
      deadlineMilliseconds,
    );
  }

  /** A text that came meanwhile, and has rested, is next. */
  private finish(id: number, reply: Reply<readonly Diagnostic[]>): void {
    this.worker.settle(id);
    if (this.newest?.id !== id) {
      this.rest();
      return;
    }
    const { settle } = this.newest;
    this.newest = undefined;
    settle(reply);
  }
}

function replyOf(answer: BodyAnswer): Reply<readonly Diagnostic[]> {
  return answer.kind === "checked"
    ? { kind: "done", value: answer.findings }
    : unanswered(answer.message);
}
