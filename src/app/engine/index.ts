// Client of the compiler workers.

export { createEngine, type Engine } from "./engine.ts";
export type { CompilerPort } from "./lane.ts";
export type { CodeChoice, PlanCode } from "./plan-code.ts";
export { type Figures, figuresOf, type Preview } from "./protocol.ts";
export type { Reply } from "./reply.ts";

// Client of the planner workers.

export { loadPlanner } from "./late-planner.ts";
export type {
  MixedPlan,
  NoPlan,
  PartEffect,
  PartRow,
  PartsProgress,
  PartsResult,
  PlanAnswer,
  PlanChange,
  PlanCost,
  Planned,
  PlanProgress,
  PlanSentence,
  PlanShortage,
  PlanStage,
  ReplacedLine,
  SplitOption,
  SplitOptionsProgress,
  SplitOptionsResult,
  SurveyProgress,
  SurveyRequest,
  SurveyResult,
  SurveyRow,
  WhatIf,
} from "./plan-protocol.ts";
export type { Planner, Search } from "./planner.ts";

// Client of the worker that runs programs.

export { countsSteps, narrowDTypes } from "#execute/engine";
export { lateRunner } from "./late-runner.ts";
export type {
  InspectedBlock,
  InspectedValue,
  InspectRequest,
  InspectResult,
  RunFault,
  RunProgress,
  RunReport,
  RunRequest,
  RunSettings,
  RunTensor,
  RunVerdict,
  TensorPart,
  WeightsFile,
  WholeCost,
  WrongCell,
} from "./run-protocol.ts";
export { faultNames, invisibleFault } from "./run-words.ts";
export type { Runner } from "./runner.ts";

// Client of the worker that checks registered functions.

export { type BodyChecker, createBodyChecker } from "./body-checker.ts";

// Client of the worker that reads published files.

export { createPublishedReader } from "./published-reader.ts";

// Starting workers.

export { spawners } from "./spawn.ts";
