import type { Answer, Question } from "./protocol.ts";
import { createReceiver, type SentAnswer } from "./wire.ts";

/** The part of a `Worker` that is used here, by what goes in and out; tests pass their own. */
export interface Port<Asked = Question, Answered = SentAnswer> {
  postMessage(question: Asked): void;
  addEventListener(kind: "message", listener: (event: { readonly data: Answered }) => void): void;
  /** A worker that cannot be loaded says nothing. */
  addEventListener(kind: "error", listener: (event: { readonly message?: string }) => void): void;
  terminate(): void;
}

/** Waits, then calls; returns how to call it off. */
export type Timer = (milliseconds: number, then: () => void) => () => void;

interface Job {
  readonly question: Question;
  readonly settle: (answer: Answer) => void;
  /** A job of the same topic that comes later makes this one pointless. */
  readonly topic: string | undefined;
}

/**
 * A question may take this long before its worker is given up, in milliseconds: 2 s of work on a
 * machine that is busy with as much again and more. A worker that has not answered yet is given
 * time to load.
 */
const deadlineMilliseconds = 6_000;
const firstDeadlineMilliseconds = 10_000;

/** So many texts that took too long are remembered. */
const mostHopeless = 8;

/**
 * One worker with at most one question under way.
 *
 * Questions wait in order; a newer one of the same topic takes the place of those that wait, and
 * the answer to an older one still under way is settled as `failed` with the message `superseded`.
 * A worker that dies or is too slow is replaced, so the next question finds a fresh one. Of a text
 * that could not be compiled in time nothing else is asked: each question would compile it again.
 */
export class Lane {
  private readonly spawn: () => Port;
  private readonly timer: Timer;
  private port: Port | undefined;
  private running: Job | undefined;
  private waiting: readonly Job[] = [];
  private cancelDeadline: () => void = () => {};
  private hasAnswered = false;
  private readonly hopeless: string[];

  /** @param hopeless texts that took too long, which lanes may share */
  constructor(spawn: () => Port, timer: Timer, hopeless: string[] = []) {
    this.spawn = spawn;
    this.timer = timer;
    this.hopeless = hopeless;
  }

  ask(question: Question, topic?: string): Promise<Answer> {
    return new Promise((settle) => {
      if (question.kind !== "compile" && this.hopeless.includes(question.source)) {
        settle(failure({ question, settle, topic }, tookTooLong));
        return;
      }
      if (topic !== undefined) this.supersede(topic);
      this.waiting = [...this.waiting, { question, settle, topic }];
      this.next();
    });
  }

  /** Gives up what is under way and what waits; the next question finds a fresh worker. */
  stop(): void {
    const { waiting } = this;
    this.waiting = [];
    for (const job of waiting) job.settle(failure(job, stopped));
    if (this.running !== undefined) this.giveUp(stopped);
  }

  /** Makes all questions of a topic pointless, those that wait and the one under way. */
  supersede(topic: string): void {
    const pointless = this.waiting.filter((job) => job.topic === topic);
    this.waiting = this.waiting.filter((job) => job.topic !== topic);
    for (const job of pointless) job.settle(failure(job, superseded));
    if (this.running?.topic === topic) this.running.settle(failure(this.running, superseded));
  }

  dispose(): void {
    this.cancelDeadline();
    this.port?.terminate();
    this.port = undefined;
    for (const job of this.waiting) job.settle(failure(job, superseded));
    this.waiting = [];
    this.running?.settle(failure(this.running, superseded));
    this.running = undefined;
  }

  private next(): void {
    const [job, ...rest] = this.waiting;
    if (job === undefined || this.running !== undefined) return;
    this.waiting = rest;
    this.running = job;
    this.port ??= this.open();
    const due = this.hasAnswered ? deadlineMilliseconds : firstDeadlineMilliseconds;
    this.cancelDeadline = this.timer(due, () => this.giveUpLate(job));
    this.port.postMessage(job.question);
  }

  private giveUpLate({ question }: Job): void {
    if (question.kind === "compile") {
      this.hopeless.push(question.source);
      if (this.hopeless.length > mostHopeless) this.hopeless.shift();
    }
    this.giveUp(tookTooLong);
  }

  private open(): Port {
    const port = this.spawn();
    this.hasAnswered = false;
    const received = createReceiver();
    port.addEventListener("message", (event) => {
      const asked = this.running?.question;
      if (port !== this.port || asked === undefined) return;
      this.finish(received(event.data, asked.source));
    });
    port.addEventListener("error", (event) => {
      if (port === this.port) this.giveUp(event.message ?? "its worker could not be loaded");
    });
    return port;
  }

  private finish(answer: Answer): void {
    const job = this.running;
    if (job === undefined || job.question.id !== answer.id) return;
    this.cancelDeadline();
    this.hasAnswered = true;
    this.running = undefined;
    job.settle(answer);
    this.next();
  }

  private giveUp(message: string): void {
    this.port?.terminate();
    this.port = undefined;
    this.cancelDeadline();
    const job = this.running;
    this.running = undefined;
    job?.settle(failure(job, message));
    this.next();
  }
}

/** The message of an answer that the reader did not wait for. */
const stopped = "stopped";

/** The message of an answer that did not come in time. */
export const tookTooLong = "it takes too long";

/** The message of an answer that a newer question made pointless. */
export const superseded = "superseded";

function failure(job: Job, message: string): Answer {
  return { kind: "failed", id: job.question.id, message };
}
