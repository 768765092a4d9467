import type { Questions } from "./protocol.ts";
import type { Message, Question } from "./question.ts";
import { superseded } from "./reply.ts";
import { createReceiver, type SentMessage } from "./wire.ts";
import { type Loss, type Port, type Timer, WorkerClient } from "./worker-client.ts";

/** The messages to and from a compiler worker. */
export type CompilerPort = Port<Asked, SentMessage>;

type Asked = Question<Questions>;

interface Job {
  readonly question: Asked;
  readonly settle: (answer: Message<Questions>) => void;
  /** The topic of the job: a later job of the same topic replaces it. */
  readonly topic: string | undefined;
}

/**
 * Milliseconds until a question's worker is given up. The largest models take 2 s of work on an idle
 * desktop, so this leaves room for a slow or busy machine; the reader sees how long it takes and can
 * stop it before. Loops without an end are ended by the interpreter's own limit of steps.
 */
const deadlineMilliseconds = 20_000;

/** The number of texts that are remembered as taking too long. */
const mostHopeless = 8;

/**
 * A queue in front of one worker, which works on one question at a time.
 *
 * A newer question of a topic replaces the waiting ones of that topic, and the answer to an older
 * one under way fails with the message `superseded`. A worker that dies or is too slow is replaced,
 * so the next question finds a fresh one. A text that could not be compiled in time gets no further
 * questions, since each would compile it again.
 */
export class Lane {
  private readonly worker: WorkerClient<Asked, SentMessage>;
  private running: Job | undefined;
  private waiting: readonly Job[] = [];
  private readonly received = createReceiver();
  private readonly hopeless: string[];

  /**
   * @param hopeless texts that took too long, which lanes may share
   * @param onLoaded hears of each worker when its code is there, and when it waits for more of it
   */
  constructor(
    spawn: () => CompilerPort,
    timer: Timer,
    hopeless: string[] = [],
    onLoaded?: (isLoaded: boolean) => void,
  ) {
    this.worker = new WorkerClient(spawn, timer, onLoaded);
    this.hopeless = hopeless;
  }

  ask(question: Asked, topic?: string): Promise<Message<Questions>> {
    return new Promise((settle) => {
      if (!isCompilation(question) && this.hopeless.includes(question.asked.source)) {
        settle(failure({ question, settle, topic }, tookTooLong));
        return;
      }
      if (topic !== undefined) this.supersede(topic);
      this.waiting = [...this.waiting, { question, settle, topic }];
      this.next();
    });
  }

  /** Gives up the running and all waiting questions; the next question finds a fresh worker. */
  stop(): void {
    this.giveUpWaiting(stopped);
    if (this.running !== undefined) this.worker.end(stopped);
  }

  /** Drops all questions of a topic, the waiting ones and the running one. */
  supersede(topic: string): void {
    const pointless = this.waiting.filter((job) => job.topic === topic);
    this.waiting = this.waiting.filter((job) => job.topic !== topic);
    for (const job of pointless) job.settle(failure(job, superseded));
    if (this.running?.topic === topic) this.running.settle(failure(this.running, superseded));
  }

  dispose(): void {
    this.giveUpWaiting(superseded);
    this.worker.end(superseded);
  }

  private giveUpWaiting(message: string): void {
    const { waiting } = this;
    this.waiting = [];
    for (const job of waiting) job.settle(failure(job, message));
  }

  private next(): void {
    const [job, ...rest] = this.waiting;
    if (job === undefined || this.running !== undefined) return;
    this.waiting = rest;
    this.running = job;
    this.worker.ask(
      job.question,
      { hear: (answer) => this.finish(job, answer), lose: (loss) => this.lose(job, loss) },
      deadlineMilliseconds,
    );
  }

  private finish(job: Job, answer: SentMessage): void {
    const { id, asked } = job.question;
    this.worker.settle(id);
    this.running = undefined;
    job.settle(this.received(answer, asked.source));
    this.next();
  }

  private lose(job: Job, { kind, message }: Loss): void {
    this.running = undefined;
    if (kind === "late") this.giveUpText(job.question);
    job.settle(failure(job, kind === "late" ? tookTooLong : message));
    this.next();
  }

  private giveUpText(question: Asked): void {
    if (!isCompilation(question)) return;
    this.hopeless.push(question.asked.source);
    if (this.hopeless.length > mostHopeless) this.hopeless.shift();
  }
}

/** The message of a question that the reader stopped. */
const stopped = "stopped";

/** The message of an answer that did not come in time. */
export const tookTooLong = "it takes too long";

function isCompilation({ kind }: Asked): boolean {
  return kind === "compile" || kind === "compile-aside";
}

function failure(job: Job, message: string): Message<Questions> {
  return { id: job.question.id, failure: message };
}
