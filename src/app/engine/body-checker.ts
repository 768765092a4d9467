import type { Diagnostic } from "#core/diagnostics";
import { QuestionClient, type QuestionPort } from "./question-client.ts";
import type { Reply } from "./reply.ts";
import type { BodyQuestions } from "./run-protocol.ts";
import type { Timer } from "./worker-client.ts";

/**
 * Checker of registered functions' bodies against their annotations; it runs once editing pauses.
 */
export interface BodyChecker {
  /** Diagnostics for a text; a newer call supersedes an older one. */
  check(source: string): Promise<Reply<readonly Diagnostic[]>>;
  /** Drops the text that still waits for its check. */
  giveUp(): void;
}

/** Pause in editing after which a text is checked, in milliseconds. */
const restMilliseconds = 700;

/** Time limit of one check in milliseconds; the worker is then ended. */
const deadlineMilliseconds = 20_000;

type Spawn = () => QuestionPort<BodyQuestions>;

/** Creates a checker with its own worker, which `spawn` starts for the first check. */
export function createBodyChecker(spawn: Spawn, timer: Timer): BodyChecker {
  const checks = new BodyChecks(spawn, timer);
  return { check: (source) => checks.check(source), giveUp: () => checks.giveUp() };
}

interface Job {
  readonly source: string;
  readonly settle: (reply: Reply<readonly Diagnostic[]>) => void;
}

/** Runs one check at a time to its end; meanwhile only the newest text waits. */
class BodyChecks {
  private readonly client: QuestionClient<BodyQuestions>;
  private readonly timer: Timer;
  private newest: Job | undefined;
  private cancelRest: () => void = () => {};

  constructor(spawn: Spawn, timer: Timer) {
    this.client = new QuestionClient(spawn, timer);
    this.timer = timer;
  }

  check(source: string): Promise<Reply<readonly Diagnostic[]>> {
    this.newest?.settle({ kind: "superseded" });
    return new Promise((settle) => {
      this.newest = { source, settle };
      this.rest();
    });
  }

  giveUp(): void {
    this.cancelRest();
    this.newest?.settle({ kind: "superseded" });
    this.newest = undefined;
  }

  private rest(): void {
    this.cancelRest();
    this.cancelRest = this.timer(restMilliseconds, () => void this.start());
  }

  private async start(): Promise<void> {
    const job = this.newest;
    if (job === undefined || this.client.isAsked) return;
    const { source } = job;
    const milliseconds = deadlineMilliseconds;
    const reply = await this.client.ask("bodies", { source }, { milliseconds }).reply;
    if (this.newest !== job) {
      // A newer text arrived during this check and is still waiting.
      this.rest();
      return;
    }
    this.newest = undefined;
    job.settle(reply);
  }
}
