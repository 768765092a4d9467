import type { PlannerMemory } from "#planner";
import type { PlanAskedOnce, PlanWord } from "./plan-protocol.ts";
import { searchPlan } from "./plan-search.ts";
import { surveyPlans } from "./plan-survey.ts";
import { weighWays } from "./plan-ways.ts";

/** Answers a request in words; a thrown fault becomes the word `failed`. */
export function answerInWords(
  asked: PlanAskedOnce,
  say: (word: PlanWord) => void,
  memory: PlannerMemory,
): void {
  const { id } = asked;
  try {
    const answer =
      "survey" in asked
        ? surveyPlans(asked, (news) => say({ ...news, id }), memory)
        : "operator" in asked
          ? weighWays(asked, (news) => say({ ...news, id }), memory)
          : searchPlan(asked, (news) => say({ ...news, id }), memory);
    say({ kind: "answer", id, answer });
  } catch (fault) {
    const message = fault instanceof Error ? fault.message : String(fault);
    say({ kind: "failed", id, message });
  }
}
