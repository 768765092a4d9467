// The compiler of texts.

export { type Analysis, analyze } from "./analyze.ts";
export { compile, compileDocument } from "./compile.ts";
export { type CompileCache, createCompileCache } from "./compile-cache.ts";
export type {
  Compiled,
  CompileOptions,
  EdgeComparison,
  OwnPlan,
  Reader,
  TensorRead,
  TensorView,
} from "./compiled.ts";
export { createDocumentCompiler } from "./document-compiler.ts";
export { EntryFinder, entryKey } from "./entry-finder.ts";
export { shareStructure } from "./share-structure.ts";

// States of a tensor between its steps, and its readers.

export {
  restState,
  shownLayout,
  shownState,
  stateName,
  stateReadBy,
  type TensorState,
  withReaders,
} from "./tensor-states.ts";

// Redistributions and programs as other systems run them.

export {
  type EdgeRow,
  type OperatorRow,
  type PolicyOutcome,
  type SystemChoices,
  type SystemRow,
  sameAsOurs,
  type WrongStep,
} from "#systems/system";
export type { WrittenGraph } from "#systems/system/graph";
export { comparePolicies } from "./compare-policies.ts";
export {
  createSystemSteps,
  policyNames,
  reshardingSystems,
  ruleOfDim,
  systemOf,
} from "./system-answers.ts";
export { type SystemRun, type SystemTotals, upstreamRun } from "./upstream-run.ts";

// Graphs in the formats of other systems.

export { exportGraph } from "./export-graph.ts";
