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
import { type Reply, replyFrom, superseded, unanswered } from "./reply.ts";
import { type Port, WorkerClient } from "./worker-client.ts";

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
  const searches = new PlanSearches(spawn);
  const surveys = new PlanSearches(spawn);
  const ways = new PlanSearches(spawn);
  return {
    plan: async (asked, hear) => {
      const reply = await searches.ask(asked, (news) => {
        if (news.kind !== "row" && news.kind !== "way") hear(news);
      });
      return answered(reply, (answer) =>
        answer.kind === "surveyed" || answer.kind === "weighed" ? undefined : answer,
      );
    },
    stop: () => searches.stop(),
    survey: async (asked, hear) => {
      const reply = await surveys.ask(asked, (news) => {
        if (news.kind === "row") hear(news);
      });
      return answered(reply, (answer) =>
        answer.kind === "surveyed" || answer.kind === "refused" ? answer : undefined,
      );
    },
    stopSurvey: () => surveys.stop(),
    ways: async (asked, hear) => {
      const reply = await ways.ask(asked, (news) => {
        if (news.kind === "way") hear(news);
      });
      return answered(reply, (answer) =>
        answer.kind === "weighed" || answer.kind === "refused" ? answer : undefined,
      );
    },
    stopWays: () => ways.stop(),
  };
}

type Answer = PlanAnswer | SurveyEnd | WaysEnd;
type News = PlanNews | SurveyNews | WayNews;

function answered<T>(reply: Reply<Answer>, read: (answer: Answer) => T | undefined): Reply<T> {
  return reply.kind === "done" ? replyFrom(reply.value, read) : reply;
}

/** One search at a time. It hears nothing until it ends, so it is stopped by ending its worker. */
class PlanSearches {
  private readonly worker: WorkerClient<PlanAskedOnce, PlanWord>;

  constructor(spawn: () => Port<PlanAskedOnce, PlanWord>) {
    this.worker = new WorkerClient(spawn);
  }

  ask(
    asked: PlanAsked | SurveyAsked | WaysAsked,
    hear: (news: News) => void,
  ): Promise<Reply<Answer>> {
    this.stop();
    const id = this.worker.nextId();
    return new Promise((settle) => {
      this.worker.ask(
        { ...asked, id },
        {
          hear: (word) => {
            if (word.kind !== "answer" && word.kind !== "failed") {
              hear(word);
              return;
            }
            this.worker.settle(id);
            settle(
              word.kind === "answer"
                ? { kind: "done", value: word.answer }
                : unanswered(word.message),
            );
          },
          lose: ({ message }) => settle(unanswered(message)),
        },
      );
    });
  }

  /** Ends the search under way, and its worker with it. */
  stop(): void {
    if (this.worker.isAsked) this.worker.end(superseded);
  }
}
