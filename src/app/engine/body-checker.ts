import type { Diagnostic } from "#core/diagnostics";
import type { Reply } from "./engine.ts";
import type { Port, Timer } from "./lane.ts";
import type { BodyAnswer, BodyQuestion } from "./run-protocol.ts";

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
  const worker = new CheckWorker(spawn, timer);
  return { check: (source) => worker.check(source) };
}

interface Job {
  readonly id: number;
  readonly source: string;
  readonly settle: (reply: Reply<readonly Diagnostic[]>) => void;
}

/** At most one check under way, which is never cut short: the newest text waits for its end. */
class CheckWorker {
  private readonly spawn: () => Port<BodyQuestion, BodyAnswer>;
  private readonly timer: Timer;
  private port: Port<BodyQuestion, BodyAnswer> | undefined;
  private newest: Job | undefined;
  private running: number | undefined;
  private last = 0;
  private cancelRest: () => void = () => {};
  private cancelDeadline: () => void = () => {};

  constructor(spawn: () => Port<BodyQuestion, BodyAnswer>, timer: Timer) {
    this.spawn = spawn;
    this.timer = timer;
  }

  check(source: string): Promise<Reply<readonly Diagnostic[]>> {
    this.newest?.settle({ kind: "superseded" });
    this.cancelRest();
    this.last += 1;
    const id = this.last;
    return new Promise((settle) => {
      this.newest = { id, source, settle };
      this.cancelRest = this.timer(restMilliseconds, () => this.start());
    });
  }

  private start(): void {
    const job = this.newest;
    if (job === undefined || this.running !== undefined) return;
    this.running = job.id;
    this.cancelDeadline = this.timer(deadlineMilliseconds, () =>
      this.giveUp(`no answer within ${deadlineMilliseconds / 1000} s`),
    );
    this.port ??= this.open();
    this.port.postMessage({ kind: "bodies", id: job.id, source: job.source });
  }

  private open(): Port<BodyQuestion, BodyAnswer> {
    const port = this.spawn();
    port.addEventListener("message", ({ data }) => {
      if (port !== this.port || data.id !== this.running) return;
      const { id } = data;
      this.finish(
        id,
        data.kind === "checked"
          ? { kind: "done", value: data.findings }
          : { kind: "failed", message: data.message },
      );
    });
    port.addEventListener("error", ({ message }) => {
      if (port === this.port) this.giveUp(message || "its worker could not be loaded");
    });
    return port;
  }

  private giveUp(message: string): void {
    this.port?.terminate();
    this.port = undefined;
    if (this.running !== undefined) this.finish(this.running, { kind: "failed", message });
  }

  /** A text that came meanwhile, and has rested, is next. */
  private finish(id: number, reply: Reply<readonly Diagnostic[]>): void {
    this.cancelDeadline();
    this.running = undefined;
    if (this.newest?.id !== id) {
      this.cancelRest();
      this.cancelRest = this.timer(restMilliseconds, () => this.start());
      return;
    }
    const { settle } = this.newest;
    this.newest = undefined;
    settle(reply);
  }
}
