import {
  type Message,
  type Question,
  type QuestionTable,
  questionOf,
  replyIn,
} from "./question.ts";
import { type Reply, unanswered } from "./reply.ts";
import { type Loss, type Port, type Timer, WorkerClient } from "./worker-client.ts";

/** Port of a worker that answers the questions of a table. */
export type QuestionPort<Table extends QuestionTable<Table>> = Port<
  Question<Table>,
  Message<Table>
>;

/** Question that is not answered yet. */
export interface Pending<Value> {
  /** Settles with the reply; never rejects. */
  readonly reply: Promise<Reply<Value>>;
  /** Settles the reply at once and ignores later messages; the worker is not interrupted. */
  giveUp(message: string): void;
}

/** Options for asking a question. */
export interface Asking<News> {
  /** Receives news before the answer. */
  readonly tell?: (news: News) => void;
  /** Time limit in milliseconds, after which the worker is ended. */
  readonly milliseconds?: number;
  /** Whether to ask a new worker if this one is ended because of another question. */
  readonly isAskedAgain?: boolean;
}

/**
 * Client of one worker, which starts on the first question and restarts on the first one after its
 * end.
 */
export class QuestionClient<Table extends QuestionTable<Table>> {
  private readonly worker: WorkerClient<Question<Table>, Message<Table>>;

  constructor(spawn: () => QuestionPort<Table>, timer?: Timer) {
    this.worker = new WorkerClient(spawn, timer);
  }

  get isStarted(): boolean {
    return this.worker.isStarted;
  }

  /** Whether any question is unanswered. */
  get isAsked(): boolean {
    return this.worker.isAsked;
  }

  ask<Kind extends keyof Table>(
    kind: Kind,
    asked: Table[Kind]["takes"],
    how: Asking<Table[Kind]["tells"]> = {},
  ): Pending<Table[Kind]["gives"]> {
    const { worker } = this;
    const id = worker.nextId();
    const question = questionOf<Table, Kind>(id, kind, asked);
    let resolve: (reply: Reply<Table[Kind]["gives"]>) => void = () => {};
    const reply = new Promise<Reply<Table[Kind]["gives"]>>((settle) => {
      resolve = settle;
    });
    const settle = (found: Reply<Table[Kind]["gives"]>) => {
      worker.settle(id);
      resolve(found);
    };
    const hear = (message: Message<Table>) => {
      const found = replyIn(message, kind, how.tell);
      if (found !== undefined) settle(found);
    };
    const lose = ({ late, message }: Loss) => {
      const isOwn = late === undefined || late === id;
      if (how.isAskedAgain === true && !isOwn) begin();
      else resolve(unanswered(message));
    };
    const begin = () => worker.ask(question, { hear, lose }, how.milliseconds);
    begin();
    return { reply, giveUp: (message) => settle(unanswered(message)) };
  }

  /** Ends the worker; all open questions fail with `message`. */
  end(message: string): void {
    this.worker.end(message);
  }
}
