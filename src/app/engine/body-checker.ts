import type { Diagnostic } from "#core/diagnostics";
import { QuestionClient, type QuestionPort } from "./question-client.ts";
import type { Reply } from "./reply.ts";
import type { BodyQuestions } from "./run-protocol.ts";
import type { Timer } from "./worker-client.ts";

/** Checks the bodies of registered functions against their annotations, once editing pauses. */
export interface BodyChecker {
  /** The findings in a text, as diagnostics; a newer call supersedes an older one. */
  check(source: string): Promise<Reply<readonly Diagnostic[]>>;
  /** Drops a text that waits to be checked. */
  giveUp(): void;
}

/** Milliseconds without a newer text after which a text is checked. */
const restMilliseconds = 700;

/** Milliseconds of a check after which its worker is given up. */
const deadlineMilliseconds = 20_000;

type Spawn = () => QuestionPort<BodyQuestions>;

/** Makes a checker with a worker of its own, which `spawn` starts for the first check. */
export function createBodyChecker(spawn: Spawn, timer: Timer): BodyChecker {
  const checks = new BodyChecks(spawn, timer);
  return { check: (source) => checks.check(source), giveUp: () => checks.giveUp() };
}

interface Job {
  readonly source: string;
  readonly settle: (reply: Reply<readonly Diagnostic[]>) => void;
}

/** Checks one at a time, none of them cut short: the newest text waits for the running check. */
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
      // A newer text came meanwhile, and has waited for this one.
      this.rest();
      return;
    }
    this.newest = undefined;
    job.settle(reply);
  }
}
