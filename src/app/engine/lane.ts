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
  /** Topic of the question; a later question of the same topic replaces it. */
  readonly topic: string | undefined;
}

/**
 * Time limit of a question in milliseconds, after which its worker is ended. The largest models
 * take 2 s on an idle desktop; the rest is for slow or busy machines. The reader sees the elapsed
 * time and can stop earlier. Endless loops hit the interpreter's own step limit.
 */
const deadlineMilliseconds = 20_000;

/** Number of texts over the time limit that are remembered. */
const mostHopeless = 8;

/**
 * Queue of one worker, which handles one question at a time.
 *
 * A newer question of a topic replaces the waiting ones, and a running one fails with `superseded`.
 * A worker that dies or exceeds the time limit is replaced before the next question. A text that
 * could not be compiled in time gets no further questions, since each would compile it again.
 */
export class Lane {
  private readonly worker: WorkerClient<Asked, SentMessage>;
  private running: Job | undefined;
  private waiting: readonly Job[] = [];
  private readonly received = createReceiver();
  private readonly hopeless: string[];

  /**
   * @param hopeless texts over the time limit; several lanes may share the list
   * @param onLoaded called when a worker's code is loaded, and when it waits for more code
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

  /** Cancels the running and all waiting questions; the next question starts a new worker. */
  stop(): void {
    this.giveUpWaiting(stopped);
    if (this.running !== undefined) this.worker.end(stopped);
  }

  /** Cancels all questions of a topic, waiting or running. */
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

/** Failure message of a question that the reader cancelled. */
const stopped = "stopped";

/** Failure message of a question over the time limit. */
export const tookTooLong = "it takes too long";

function isCompilation({ kind }: Asked): boolean {
  return kind === "compile" || kind === "compile-aside";
}

function failure(job: Job, message: string): Message<Questions> {
  return { id: job.question.id, failure: message };
}
