// When each step runs, and on which lane.

export {
  type Lane,
  lanes,
  type Pass,
  type Schedule,
  type ScheduleRules,
  schedule,
} from "./schedule.ts";
export type { StepTime, TimeOf } from "./step-time.ts";
export { type StepUse, usesOf } from "./step-uses.ts";
