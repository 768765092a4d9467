/**
 * Message of a worker before its first answer, when its code is loaded and it starts to work. With
 * `false` it waits for more code, until it sends `true`.
 */
export interface Loaded {
  readonly isLoaded: boolean;
}

/** Subset of `Worker` in use; tests pass their own. */
export interface Port<Asked, Answered> {
  postMessage(question: Asked): void;
  addEventListener(
    kind: "message",
    listener: (event: { readonly data: Answered | Loaded }) => void,
  ): void;
  /** Fired if the worker throws; a worker that cannot be loaded gives no message. */
  addEventListener(kind: "error", listener: (event: { readonly message?: string }) => void): void;
  terminate(): void;
}

/** Failure message if a worker's code, or a part of it, does not load. */
export const notLoaded = "its worker could not be loaded";

/** Calls `then` after a delay; returns a function that cancels the call. */
export type Timer = (milliseconds: number, then: () => void) => () => void;

/** Questions and answers carry ids; an answer has its question's id. */
interface Numbered {
  readonly id: number;
}

/** End of a worker while questions were open. */
export interface Loss {
  /**
   * Cause: `late`, no answer within a question's time limit; `crashed`, the worker failed; `ended`,
   * the client ended it.
   */
  readonly kind: "late" | "crashed" | "ended";
  readonly message: string;
  /** Id of the question over its time limit. */
  readonly late?: number;
}

/** Callbacks of a question. */
export interface Listener<Answered> {
  /** Called for each message until the question is settled. */
  readonly hear: (answer: Answered) => void;
  /** Called instead of an answer if the worker ends; asking again starts a new worker. */
  readonly lose: (loss: Loss) => void;
}

interface Open<Answered> extends Listener<Answered> {
  readonly milliseconds: number | undefined;
  cancelDeadline: () => void;
}

/**
 * Client of one worker, which starts on the first question and restarts on the first one after its
 * end. Messages are matched to questions by id; those of an ended worker are ignored. Time limits
 * start once the worker's code is loaded, so a slow network does not count.
 */
export class WorkerClient<Asked extends Numbered, Answered extends Numbered> {
  private readonly spawn: () => Port<Asked, Answered>;
  private readonly timer: Timer;
  private readonly onLoaded: (isLoaded: boolean) => void;
  private readonly open = new Map<number, Open<Answered>>();
  private port: Port<Asked, Answered> | undefined;
  private isLoaded = false;
  private last = 0;

  /**
   * @param onLoaded called with true when a worker's code is loaded, and false when it waits for
   *   more
   */
  constructor(
    spawn: () => Port<Asked, Answered>,
    timer: Timer = () => () => {},
    onLoaded: (isLoaded: boolean) => void = () => {},
  ) {
    this.spawn = spawn;
    this.timer = timer;
    this.onLoaded = onLoaded;
  }

  /** New id for a question. */
  nextId(): number {
    this.last += 1;
    return this.last;
  }

  get isStarted(): boolean {
    return this.port !== undefined;
  }

  /** Whether any question is open. */
  get isAsked(): boolean {
    return this.open.size > 0;
  }

  /**
   * Sends a question, replacing an open one with the same id.
   *
   * @param milliseconds working time after which the worker is ended if the question is still open
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

  /** Closes a question: further messages about it are ignored. */
  settle(id: number): void {
    this.open.get(id)?.cancelDeadline();
    this.open.delete(id);
  }

  /** Ends the worker; all open questions fail with `message`. */
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

  /** Marks the code as loaded and starts the time limits of open questions. */
  private begin(): void {
    this.isLoaded = true;
    this.onLoaded(true);
    for (const [id, open] of this.open) this.setDeadline(id, open);
  }

  /** Suspends time limits while the worker waits for code. */
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
