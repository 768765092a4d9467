// The interface of a system: how its programs are read, and what it does itself.

export type { CutOperator, PlannedProgram, System } from "./system.ts";

// A system's redistribution of one edge, compared with the plan's.

export { type Edge, type EdgeFigures, edgesIn } from "./edge.ts";
export { type GroupHop, type Held, type HeldBy, heldAfter, heldAtFirst } from "./held.ts";
export {
  namedAs,
  nothingSent,
  outcomeOf,
  type PlannedOutcome,
  type PolicyList,
  type PolicyOutcome,
  type PolicyStep,
  type ReshardingSystem,
  type SystemReshards,
  systemReshard,
} from "./outcome.ts";
export { type Cause, does, movesPieces, sameAsOurs, whyItDiffers } from "./why.ts";

// A system's run of a whole program.

export type { BackwardCollective, EmittedCollective, EmittedProgram } from "./emitted.ts";
export { gradientName, gradientsIn, type OwnGradient } from "./gradients.ts";
export type { EdgeReason, EdgeRow, OperatorRow, SystemRow } from "./row.ts";
export type { ProgramRead, SystemChoice, SystemChoices, SystemRuns } from "./run.ts";
export { countedRows, walkProgram } from "./walk.ts";
export { blockText, boxText, type IndexRun, type WrongDevice, type WrongStep } from "./wrong.ts";

// A system's rules that forbid splits.

export { allowedText, type ForbiddingRule, ruleSentence, type SystemRules } from "./rule.ts";

// A system's own commands.

export {
  type Answer,
  type Arguments,
  badRequest,
  type CommandTools,
  type SystemCommand,
} from "./answer.ts";

// Texts shared by several systems.

export { axesText, counted } from "./texts.ts";
