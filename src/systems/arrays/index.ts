// Engines that plans can be written for, and the written files.

export {
  type CodeInput,
  type CodeTarget,
  type CodeWriter,
  runsOnce,
  type WritableCuts,
  type WrittenProgram,
} from "./code-writer.ts";
export { severalHosts, slurmScript, torchrun } from "./launch.ts";
export { NotWritten, ofModule } from "./not-written.ts";
export { type RefusedForms, refusedForm } from "./plan-forms.ts";
export { type NotWrittenFile, type WrittenFile, writtenFile } from "./written-file.ts";

// A per-device program as lines of code for an engine.

export type { CollectiveScope, DevicePair, SentBox } from "./collective-scope.ts";
export type { Dialect } from "./dialect.ts";
export type { Engine, OperatorScope, ProgramLines } from "./program-lines.ts";
export { writeProgram } from "./write-program.ts";

// The forward program, for engines that derive the backward pass themselves.

export { ForwardProgram, roleOf } from "./forward-program.ts";
export { isCutFurther, withKeptTensors } from "./kept-tensors.ts";
export type { ReadModel, TextModel, TextNode } from "./text-model.ts";
export type {
  GivenArgument,
  ReadModules,
  TextModules,
  TextNumber,
  TextRun,
} from "./text-modules.ts";

// Facts about a program: its mesh, its ports, the blocks on devices.

export { elementsAt, type HeldBlocks } from "./held-blocks.ts";
export { type MeshAtoms, meshAtoms } from "./mesh-atoms.ts";
export {
  type ClaimedRange,
  evenRangesOf,
  forwardBytes,
  meshOf,
  meshPartsOf,
  type Port,
  rangesOf,
} from "./program-facts.ts";

// Parts of a file.

export { bytesText, reasonsText } from "./comments.ts";
export { indented, layoutText, toleranceOf } from "./file-parts.ts";
export { heldText, rangeText } from "./held-text.ts";

// The settings and the state of a training step.

export {
  correctionLines,
  correctionsOf,
  type StepState,
  settingParameters,
  stateText,
} from "./step-state.ts";

// Array expressions in Python.

export { operatorLines } from "./operator-lines.ts";
