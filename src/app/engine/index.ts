export { type BodyChecker, createBodyChecker } from "./body-checker.ts";
export { createEngine, type Engine } from "./engine.ts";
export type { CompilerPort } from "./lane.ts";
export { loadPlanner } from "./late-planner.ts";
export { lateRunner } from "./late-runner.ts";
export type { CodeChoice, PlanCode } from "./plan-code.ts";
export type {
  NoPlan,
  PlanAnswer,
  PlanAsked,
  PlanChange,
  PlanNews,
  Planned,
  PlanPattern,
  PlanShortage,
  PlanStage,
  SurveyAsked,
  SurveyEnd,
  SurveyNews,
  SurveyRow,
  Taken,
  Way,
  WayNews,
  WaysAsked,
  WaysEnd,
  WhatIf,
} from "./plan-protocol.ts";
export type { Planner, Search } from "./planner.ts";
export { type Figures, figuresOf, type Preview } from "./protocol.ts";
export type { Reply } from "./reply.ts";
export type {
  Look,
  RunEngine,
  RunFault,
  RunProgress,
  RunRefusal,
  RunReport,
  RunRequest,
  RunSettings,
  RunTensor,
  RunVerdict,
  Seen,
  SeenBlock,
  SeenValue,
  TensorPart,
  WrongCell,
} from "./run-protocol.ts";
export type { Runner } from "./runner.ts";
export { spawnBodyChecker, spawnRunner } from "./spawn.ts";
export type { Port, Timer } from "./worker-client.ts";
