import { PlannerMemory } from "#planner";
import { nearestCode } from "./nearest-code.ts";
import { weighParts } from "./plan-parts.ts";
import type { Searches } from "./plan-protocol.ts";
import { searchPlan } from "./plan-search.ts";
import { surveyPlans } from "./plan-survey.ts";
import { weighWays } from "./plan-ways.ts";
import { type Answerer, createAnswerer, type Handlers } from "./question.ts";

/** Worker role that plans programs and caches results for later searches. */
export function plannerRole(post: (message: unknown) => void): Answerer<Searches> {
  const memory = new PlannerMemory();
  const searches: Handlers<Searches> = {
    plan: (asked, tell) => searchPlan(asked, tell, memory),
    survey: (asked, tell) => surveyPlans(asked, tell, memory),
    ways: (asked, tell) => weighWays(asked, tell, memory),
    parts: weighParts,
    nearest: (asked) => nearestCode(asked, memory),
  };
  return createAnswerer<Searches>(searches, post);
}
