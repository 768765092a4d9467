import { PlannerMemory } from "#planner";
import type { Searches } from "./plan-protocol.ts";
import { searchPlan } from "./plan-search.ts";
import { surveyPlans } from "./plan-survey.ts";
import { weighWays } from "./plan-ways.ts";
import { createAnswerer, type Handlers, type Question } from "./question.ts";

const memory = new PlannerMemory();
const searches: Handlers<Searches> = {
  plan: (asked, tell) => searchPlan(asked, tell, memory),
  survey: (asked, tell) => surveyPlans(asked, tell, memory),
  ways: (asked, tell) => weighWays(asked, tell, memory),
};
const answer = createAnswerer<Searches>(searches, (message) => self.postMessage(message));

self.addEventListener("message", ({ data }: MessageEvent<Question<Searches>>) => answer(data));
