import type { Searches } from "./plan-protocol.ts";
import { QuestionClient, type QuestionPort } from "./question-client.ts";
import { type Reply, superseded } from "./reply.ts";

/** The searches of the planner, each kind on a worker of its own. */
export type Planner = { readonly [Kind in keyof Searches]: Search<Kind> };

/** One kind of search, one at a time. */
export interface Search<Kind extends keyof Searches> {
  /** Begins a search and stops the one under way. `hear` is called with its progress. */
  begin(
    asked: Searches[Kind]["takes"],
    hear: (news: Searches[Kind]["tells"]) => void,
  ): Promise<Reply<Searches[Kind]["gives"]>>;
  /** Stops the search under way; its reply is `superseded`. */
  stop(): void;
}

type Spawn = () => QuestionPort<Searches>;

/** Joins searches to their workers; `spawn` starts one when it is first needed and after a stop. */
export function createPlanner(spawn: Spawn): Planner {
  return {
    plan: searchOn("plan", spawn),
    survey: searchOn("survey", spawn),
    ways: searchOn("ways", spawn),
    parts: searchOn("parts", spawn),
    nearest: searchOn("nearest", spawn),
  };
}

/** A worker that searches hears nothing until it ends, so a search is stopped by ending its worker. */
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
