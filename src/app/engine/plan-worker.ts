import { PlannerMemory } from "#planner";
import type { PlanAskedOnce } from "./plan-protocol.ts";
import { answerInWords } from "./plan-words.ts";

const memory = new PlannerMemory();

/** The far end of the planner: says how far it is, then what it has found. */
self.addEventListener("message", ({ data }: MessageEvent<PlanAskedOnce>) => {
  answerInWords(data, (word) => self.postMessage(word), memory);
});
