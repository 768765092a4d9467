import { type Cut, cutAnswer, limitsOf, type WorkLimits } from "./cut-answer.ts";
import type { Printed, Work } from "./printed.ts";

/** A thread that does pieces of work one after another. */
export interface AnswerThread {
  post(id: number, work: Work): void;
  /** Id of the work in progress; 0 when idle. */
  busyWith(): number;
  onAnswer(listener: (id: number, printed: Printed) => void): void;
  /** Called once when the thread ends, after its last answer. */
  onEnd(listener: (end: "out-of-memory" | "ended") => void): void;
  end(): void;
}

/** Measures the CPU time and memory of this process, and calls a function periodically. */
export interface Gauge {
  cpuSeconds(): number;
  residentBytes(): number;
  /** Calls `look` periodically; the returned function stops the calls. */
  every(milliseconds: number, look: () => void): () => void;
}

/**
 * Limits per request. An ordinary request ends within 2 s: a loaded machine takes up to 0.4 s to
 * notice and stop a thread. A search for a plan may take longer, since a real model has many
 * strategies, and so may a run.
 */
export const workLimits: WorkLimits = {
  cpuSeconds: 1.5,
  search: { cpuSeconds: 20, bytes: 2 ** 31 },
  run: { cpuSeconds: 60, bytes: 2 ** 31 },
  bytes: 512 * 2 ** 20,
};

const lookMilliseconds = 25;

interface Job {
  readonly work: Work;
  readonly settle: (printed: Printed) => void;
}

/**
 * Runs pieces of work on a thread, in the order of arrival.
 *
 * Work that exceeds its limits is ended together with its thread. Its answer says so, and a new
 * thread takes over the waiting work. Time is CPU time of the process, so a busy machine cuts off
 * no more work than an idle one.
 */
export class Answerer {
  private readonly spawn: () => AnswerThread;
  private readonly gauge: Gauge;
  private readonly limits: WorkLimits;
  private readonly jobs = new Map<number, Job>();
  private thread: AnswerThread | undefined;
  private lastId = 0;
  private cut: { readonly id: number; readonly why: Cut } | undefined;
  private seen = { id: 0, cpuSeconds: 0, bytes: 0 };
  private stopLooking: (() => void) | undefined;

  constructor(spawn: () => AnswerThread, gauge: Gauge, limits: WorkLimits = workLimits) {
    this.spawn = spawn;
    this.gauge = gauge;
    this.limits = limits;
  }

  answer(work: Work): Promise<Printed> {
    this.lastId += 1;
    const id = this.lastId;
    return new Promise((settle) => {
      this.jobs.set(id, { work, settle });
      this.thread ??= this.open();
      this.thread.post(id, work);
      this.stopLooking ??= this.gauge.every(lookMilliseconds, () => this.look());
    });
  }

  /** Ends the thread; unfinished work gets no answer. */
  end(): void {
    this.jobs.clear();
    this.rest();
    this.thread?.end();
    this.thread = undefined;
  }

  private open(): AnswerThread {
    const thread = this.spawn();
    thread.onAnswer((id, printed) => this.settle(id, printed));
    thread.onEnd((end) => {
      if (thread === this.thread) this.goOn(thread, end);
    });
    return thread;
  }

  private settle(id: number, printed: Printed): void {
    const job = this.jobs.get(id);
    this.jobs.delete(id);
    if (this.jobs.size === 0) this.rest();
    job?.settle(printed);
  }

  private rest(): void {
    this.stopLooking?.();
    this.stopLooking = undefined;
    this.seen = { id: 0, cpuSeconds: 0, bytes: 0 };
  }

  private look(): void {
    const id = this.thread?.busyWith() ?? 0;
    if (id !== this.seen.id) {
      const { cpuSeconds, residentBytes } = this.gauge;
      this.seen = { id, cpuSeconds: cpuSeconds(), bytes: residentBytes() };
    }
    if (id === 0 || this.cut !== undefined) return;
    const why = this.excess(id);
    if (why === undefined) return;
    this.cut = { id, why };
    this.thread?.end();
  }

  private excess(id: number): Cut | undefined {
    const { cpuSeconds, bytes } = this.seen;
    const taken = this.gauge.cpuSeconds() - cpuSeconds;
    if (taken > this.limits.cpuSeconds && taken > this.limitsFor(id).cpuSeconds) return "too-long";
    const held = this.gauge.residentBytes() - bytes;
    return held > this.limits.bytes && held > this.limitsFor(id).bytes ? "too-large" : undefined;
  }

  private limitsFor(id: number): WorkLimits {
    const job = this.jobs.get(id);
    return job === undefined ? this.limits : limitsOf(job.work, this.limits);
  }

  /**
   * Handles the end of a thread: answers its last work, and starts a new thread for the waiting
   * work.
   */
  private goOn(thread: AnswerThread, end: "out-of-memory" | "ended"): void {
    const { id, why } = this.cut ?? { id: thread.busyWith(), why: reasonOf(end) };
    this.cut = undefined;
    this.thread = undefined;
    const [oldest] = this.jobs.keys();
    // A thread that ended without work in progress never started; the oldest work is answered,
    // since another thread would fail too.
    const ended = this.jobs.has(id) ? id : why === "ended" ? oldest : undefined;
    const job = ended === undefined ? undefined : this.jobs.get(ended);
    if (ended !== undefined && job !== undefined)
      this.settle(ended, cutAnswer(job.work, why, limitsOf(job.work, this.limits)));
    if (this.jobs.size === 0) return;
    this.thread = this.open();
    for (const [waiting, { work }] of this.jobs) this.thread.post(waiting, work);
  }
}

function reasonOf(end: "out-of-memory" | "ended"): Cut {
  return end === "out-of-memory" ? "too-large" : "ended";
}
