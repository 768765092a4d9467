// The time of each step, and its lane.

export {
  type Lane,
  type Pass,
  type Schedule,
  type ScheduleRules,
  schedule,
} from "./schedule.ts";
export type { StepTime, TimeOf } from "./step-time.ts";
export { type StepUse, usesOf } from "./step-uses.ts";

// Schedules as lists of items, memory over time, and traces for viewers.

export { type ChromeTrace, chromeTrace, type TraceEvent } from "./chrome-trace.ts";
export { type ScheduledItem, scheduledItems } from "./items.ts";
export { type MemoryMoment, memoryOverTime } from "./memory-over-time.ts";
