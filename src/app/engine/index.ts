export { type BodyChecker, createBodyChecker } from "./body-checker.ts";
export { createEngine, type Engine, type Reply } from "./engine.ts";
export type { Port, Timer } from "./lane.ts";
export type { PlanAnswer, PlanChange, PlanStage } from "./plan-protocol.ts";
export { createPlanner, type Planner } from "./planner.ts";
export { type Figures, figuresOf, type Preview } from "./protocol.ts";
export type { RunStage, RunVerdict, WrongCell } from "./run-protocol.ts";
export { createRunner, type Runner, type RunRequest } from "./runner.ts";
export { spawnBodyChecker, spawnPlanner, spawnRunner } from "./spawn.ts";
