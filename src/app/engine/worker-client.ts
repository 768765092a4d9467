/**
 * A worker's message on its first question, before the answer: its code is loaded, and it begins.
 * With `false` it waits for more code, until it sends the message again.
 */
export interface Loaded {
  readonly isLoaded: boolean;
}

/** The used part of a `Worker`; tests pass their own. */
export interface Port<Asked, Answered> {
  postMessage(question: Asked): void;
  addEventListener(
    kind: "message",
    listener: (event: { readonly data: Answered | Loaded }) => void,
  ): void;
  /** A worker that cannot be loaded says nothing. */
  addEventListener(kind: "error", listener: (event: { readonly message?: string }) => void): void;
  terminate(): void;
}

/** The message about a worker whose code does not load, in whole or in part. */
export const notLoaded = "its worker could not be loaded";

/** Waits, then calls; returns a function that cancels the call. */
export type Timer = (milliseconds: number, then: () => void) => () => void;

/** Questions and answers have numbers; an answer has its question's. */
interface Numbered {
  readonly id: number;
}

/** A worker has ended before a question had its last answer. */
export interface Loss {
  /**
   * `late`: no message within the time of a question. `crashed`: the worker failed. `ended`: we
   * ended it.
   */
  readonly kind: "late" | "crashed" | "ended";
  readonly message: string;
  /** The question that was not answered in time. */
  readonly late?: number;
}

/** The listener of the caller of a question. */
export interface Listener<Answered> {
  /** Called for each answer until the question is settled. */
  readonly hear: (answer: Answered) => void;
  /** Called instead of further answers; a question that is asked again finds a fresh worker. */
  readonly lose: (loss: Loss) => void;
}

interface Open<Answered> extends Listener<Answered> {
  readonly milliseconds: number | undefined;
  cancelDeadline: () => void;
}

/**
 * A worker that starts with the first question, and again with the first one after it has ended.
 * Answers find their callers by number; messages of an ended worker are ignored. Deadlines count
 * work: they begin when the code of the worker is there, however slow the network.
 */
export class WorkerClient<Asked extends Numbered, Answered extends Numbered> {
  private readonly spawn: () => Port<Asked, Answered>;
  private readonly timer: Timer;
  private readonly onLoaded: (isLoaded: boolean) => void;
  private readonly open = new Map<number, Open<Answered>>();
  private port: Port<Asked, Answered> | undefined;
  private isLoaded = false;
  private last = 0;

  /** @param onLoaded hears of each worker when its code is there, and when it waits for more of it */
  constructor(
    spawn: () => Port<Asked, Answered>,
    timer: Timer = () => () => {},
    onLoaded: (isLoaded: boolean) => void = () => {},
  ) {
    this.spawn = spawn;
    this.timer = timer;
    this.onLoaded = onLoaded;
  }

  /** A fresh number for a question. */
  nextId(): number {
    this.last += 1;
    return this.last;
  }

  get isStarted(): boolean {
    return this.port !== undefined;
  }

  /** Whether some question is not settled. */
  get isAsked(): boolean {
    return this.open.size > 0;
  }

  /**
   * Asks a question. One of the same number that is open already gives its place to it.
   *
   * @param milliseconds of work after which the worker is ended unless the question is settled
   */
  ask(question: Asked, listener: Listener<Answered>, milliseconds?: number): void {
    const { id } = question;
    this.settle(id);
    const open: Open<Answered> = { ...listener, milliseconds, cancelDeadline: () => {} };
    this.open.set(id, open);
    if (this.isLoaded) this.setDeadline(id, open);
    this.port ??= this.start();
    this.port.postMessage(question);
  }

  /** Ignores further messages about a question. */
  settle(id: number): void {
    this.open.get(id)?.cancelDeadline();
    this.open.delete(id);
  }

  /** Ends the worker; all waiting callers get the message. */
  end(message: string): void {
    this.lose({ kind: "ended", message });
  }

  private start(): Port<Asked, Answered> {
    const port = this.spawn();
    port.addEventListener("message", ({ data }) => {
      if (port !== this.port) return;
      if ("isLoaded" in data && !data.isLoaded) this.wait();
      else if (!this.isLoaded) this.begin();
      if ("id" in data) this.open.get(data.id)?.hear(data);
    });
    port.addEventListener("error", ({ message }) => {
      if (port !== this.port) return;
      this.lose({
        kind: "crashed",
        message: message?.replace("Uncaught Error: ", "") || notLoaded,
      });
    });
    return port;
  }

  /** The worker works from now on. */
  private begin(): void {
    this.isLoaded = true;
    this.onLoaded(true);
    for (const [id, open] of this.open) this.setDeadline(id, open);
  }

  /** The worker waits for code; what it is asked takes no time meanwhile. */
  private wait(): void {
    this.isLoaded = false;
    this.onLoaded(false);
    for (const { cancelDeadline } of this.open.values()) cancelDeadline();
  }

  private setDeadline(id: number, open: Open<Answered>): void {
    const { milliseconds } = open;
    if (milliseconds === undefined) return;
    open.cancelDeadline = this.timer(milliseconds, () => {
      const message = `no answer within ${milliseconds / 1000} s`;
      this.lose({ kind: "late", message, late: id });
    });
  }

  private lose(loss: Loss): void {
    this.port?.terminate();
    this.port = undefined;
    this.isLoaded = false;
    const open = [...this.open.values()];
    this.open.clear();
    for (const { cancelDeadline } of open) cancelDeadline();
    for (const { lose } of open) lose(loss);
  }
}
