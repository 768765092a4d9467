// When each step runs, and on which lane.

export {
  type Lane,
  type Pass,
  type Schedule,
  type ScheduleRules,
  schedule,
} from "./schedule.ts";
export type { StepTime, TimeOf } from "./step-time.ts";
export { type StepUse, usesOf } from "./step-uses.ts";

// The same as a list of items, over time, and for viewers of traces.

export { type ChromeTrace, chromeTrace, type TraceEvent } from "./chrome-trace.ts";
export { type ScheduledItem, scheduledItems } from "./items.ts";
export { type MemoryMoment, memoryCurve } from "./memory-curve.ts";
