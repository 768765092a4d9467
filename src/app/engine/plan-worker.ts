import { PlannerMemory } from "#planner";
import type { PlanAskedOnce, PlanStage } from "./plan-protocol.ts";
import { searchWord } from "./plan-search.ts";

const memory = new PlannerMemory();

/** The far end of the planner: says how far it is, then what it has found. */
self.addEventListener("message", ({ data }: MessageEvent<PlanAskedOnce>) => {
  const onStage = (stage: PlanStage) => self.postMessage({ kind: "stage", id: data.id, stage });
  self.postMessage(searchWord(data, onStage, memory));
});
