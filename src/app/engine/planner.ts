import type { Reply } from "./engine.ts";
import type { Port } from "./lane.ts";
import type { PlanAnswer, PlanAsked, PlanAskedOnce, PlanStage, PlanWord } from "./plan-protocol.ts";

/** Plans texts on a worker of its own, one at a time. */
export interface Planner {
  /** Plans a text; a search that is under way is stopped, and its reply is `superseded`. */
  plan(asked: PlanAsked, onStage: (stage: PlanStage) => void): Promise<Reply<PlanAnswer>>;
  /** Stops the search under way; its reply is `superseded`. */
  stop(): void;
}

/** Joins searches to their worker; `spawn` starts one when it is first needed and after a stop. */
export function createPlanner(spawn: () => Port<PlanAskedOnce, PlanWord>): Planner {
  const worker = new PlanWorker(spawn);
  return {
    plan: (asked, onStage) => worker.plan(asked, onStage),
    stop: () => worker.stop({ kind: "superseded" }),
  };
}

interface Job {
  readonly id: number;
  readonly settle: (reply: Reply<PlanAnswer>) => void;
  readonly onStage: (stage: PlanStage) => void;
}

/** A search hears nothing until it ends, so it is stopped by ending the worker. */
class PlanWorker {
  private readonly spawn: () => Port<PlanAskedOnce, PlanWord>;
  private port: Port<PlanAskedOnce, PlanWord> | undefined;
  private job: Job | undefined;
  private last = 0;

  constructor(spawn: () => Port<PlanAskedOnce, PlanWord>) {
    this.spawn = spawn;
  }

  plan(asked: PlanAsked, onStage: (stage: PlanStage) => void): Promise<Reply<PlanAnswer>> {
    this.stop({ kind: "superseded" });
    this.last += 1;
    const id = this.last;
    return new Promise((settle) => {
      this.job = { id, settle, onStage };
      this.port ??= this.open();
      this.port.postMessage({ ...asked, id });
    });
  }

  /** Ends the search under way, and its worker with it. */
  stop(reply: Reply<PlanAnswer>): void {
    if (this.job === undefined) return;
    this.port?.terminate();
    this.port = undefined;
    this.finish(reply);
  }

  private finish(reply: Reply<PlanAnswer>): void {
    const { job } = this;
    this.job = undefined;
    job?.settle(reply);
  }

  private open(): Port<PlanAskedOnce, PlanWord> {
    const port = this.spawn();
    port.addEventListener("message", ({ data }) => {
      if (port === this.port) this.hear(data);
    });
    port.addEventListener("error", ({ message }) => {
      if (port !== this.port) return;
      this.stop({ kind: "failed", message: message || "its worker could not be loaded" });
      port.terminate();
      this.port = undefined;
    });
    return port;
  }

  private hear(word: PlanWord): void {
    if (word.id !== this.job?.id) return;
    switch (word.kind) {
      case "stage":
        this.job.onStage(word.stage);
        return;
      case "answer":
        this.finish({ kind: "done", value: word.answer });
        return;
      case "failed":
        this.finish({ kind: "failed", message: word.message });
    }
  }
}
