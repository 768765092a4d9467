import type { Searches } from "./plan-protocol.ts";
import { QuestionClient, type QuestionPort } from "./question-client.ts";
import { type Reply, superseded } from "./reply.ts";

/** Client of the planner, with one worker per kind of search. */
export type Planner = { readonly [Kind in keyof Searches]: Search<Kind> };

/** Runner of one kind of search; at most one search runs. */
export interface Search<Kind extends keyof Searches> {
  /** Starts a search and stops the running one; `hear` receives its progress. */
  begin(
    asked: Searches[Kind]["takes"],
    hear: (news: Searches[Kind]["tells"]) => void,
  ): Promise<Reply<Searches[Kind]["gives"]>>;
  /** Stops the running search; its reply is `superseded`. */
  stop(): void;
}

type Spawn = () => QuestionPort<Searches>;

/** Creates a planner client; `spawn` starts a worker on first use and after a stop. */
export function createPlanner(spawn: Spawn): Planner {
  return {
    plan: searchOn("plan", spawn),
    survey: searchOn("survey", spawn),
    ways: searchOn("ways", spawn),
    parts: searchOn("parts", spawn),
    nearest: searchOn("nearest", spawn),
  };
}

/** A searching worker reads no messages, so a search is stopped by ending its worker. */
function searchOn<Kind extends keyof Searches>(kind: Kind, spawn: Spawn): Search<Kind> {
  const client = new QuestionClient(spawn);
  const stop = () => {
    if (client.isAsked) client.end(superseded);
  };
  return {
    stop,
    begin: (asked, hear) => {
      stop();
      return client.ask(kind, asked, { tell: hear }).reply;
    },
  };
}
