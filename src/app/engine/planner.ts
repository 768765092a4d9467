import type { Reply } from "./engine.ts";
import type { Port } from "./lane.ts";
import type {
  PlanAnswer,
  PlanAsked,
  PlanAskedOnce,
  PlanNews,
  PlanWord,
  SurveyAsked,
  SurveyEnd,
  SurveyNews,
  WayNews,
  WaysAsked,
  WaysEnd,
} from "./plan-protocol.ts";

/** Plans texts on workers of its own: one search and one survey at a time. */
export interface Planner {
  /** Plans a text; a search that is under way is stopped, and its reply is `superseded`. */
  plan(asked: PlanAsked, hear: (news: PlanNews) => void): Promise<Reply<PlanAnswer>>;
  /** Stops the search under way; its reply is `superseded`. */
  stop(): void;
  /** Plans a text in many ways; a survey that is under way is stopped likewise. */
  survey(asked: SurveyAsked, hear: (news: SurveyNews) => void): Promise<Reply<SurveyEnd>>;
  stopSurvey(): void;
  /** Weighs the ways to split an operator; those under way are stopped likewise. */
  ways(asked: WaysAsked, hear: (news: WayNews) => void): Promise<Reply<WaysEnd>>;
  stopWays(): void;
}

/** Joins searches to their workers; `spawn` starts one when it is first needed and after a stop. */
export function createPlanner(spawn: () => Port<PlanAskedOnce, PlanWord>): Planner {
  const searches = new PlanWorker(spawn);
  const surveys = new PlanWorker(spawn);
  const ways = new PlanWorker(spawn);
  return {
    plan: async (asked, hear) => {
      const reply = await searches.ask(asked, (news) => {
        if (news.kind !== "row" && news.kind !== "way") hear(news);
      });
      return answered(reply, (answer) =>
        answer.kind === "surveyed" || answer.kind === "weighed" ? undefined : answer,
      );
    },
    stop: () => searches.stop({ kind: "superseded" }),
    survey: async (asked, hear) => {
      const reply = await surveys.ask(asked, (news) => {
        if (news.kind === "row") hear(news);
      });
      return answered(reply, (answer) =>
        answer.kind === "surveyed" || answer.kind === "refused" ? answer : undefined,
      );
    },
    stopSurvey: () => surveys.stop({ kind: "superseded" }),
    ways: async (asked, hear) => {
      const reply = await ways.ask(asked, (news) => {
        if (news.kind === "way") hear(news);
      });
      return answered(reply, (answer) =>
        answer.kind === "weighed" || answer.kind === "refused" ? answer : undefined,
      );
    },
    stopWays: () => ways.stop({ kind: "superseded" }),
  };
}

type Answer = PlanAnswer | SurveyEnd | WaysEnd;
type News = PlanNews | SurveyNews | WayNews;

function answered<T>(reply: Reply<Answer>, read: (answer: Answer) => T | undefined): Reply<T> {
  if (reply.kind !== "done") return reply;
  const value = read(reply.value);
  return value === undefined
    ? { kind: "failed", message: `unexpected ${reply.value.kind}` }
    : { kind: "done", value };
}

interface Job {
  readonly id: number;
  readonly settle: (reply: Reply<Answer>) => void;
  readonly hear: (news: News) => void;
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

  ask(
    asked: PlanAsked | SurveyAsked | WaysAsked,
    hear: (news: News) => void,
  ): Promise<Reply<Answer>> {
    this.stop({ kind: "superseded" });
    this.last += 1;
    const id = this.last;
    return new Promise((settle) => {
      this.job = { id, settle, hear };
      this.port ??= this.open();
      this.port.postMessage({ ...asked, id });
    });
  }

  /** Ends the search under way, and its worker with it. */
  stop(reply: Reply<Answer>): void {
    if (this.job === undefined) return;
    this.port?.terminate();
    this.port = undefined;
    this.finish(reply);
  }

  private finish(reply: Reply<Answer>): void {
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
      case "found":
      case "short":
      case "row":
      case "way":
        this.job.hear(word);
        return;
      case "answer":
        this.finish({ kind: "done", value: word.answer });
        return;
      case "failed":
        this.finish({ kind: "failed", message: word.message });
    }
  }
}
