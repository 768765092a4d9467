export {
  type CodeInput,
  type CodeTarget,
  type CodeWriter,
  runsOnce,
  type WrittenProgram,
} from "./code-writer.ts";
export type { CollectiveScope, DevicePair, SentBox } from "./collective-scope.ts";
export { bytesText, reasonsText } from "./comments.ts";
export { factorsOf } from "./contraction-code.ts";
export type { Dialect } from "./dialect.ts";
export { numpyName, widestFloat } from "./dtypes.ts";
export { indented, layoutText, toleranceOf } from "./file-parts.ts";
export { ForwardProgram, roleOf } from "./forward-program.ts";
export { elementsAt, type HeldBlocks } from "./held-blocks.ts";
export { heldText, rangeText } from "./held-text.ts";
export { isCutFurther, withKeptTensors } from "./kept-tensors.ts";
export { atom, bracketed, type Labelled } from "./labelled.ts";
export { severalHosts, slurmScript, torchrun } from "./launch.ts";
export { type MeshAtoms, meshAtoms } from "./mesh-atoms.ts";
export { NotWritten } from "./not-written.ts";
export { operatorLines } from "./operator-lines.ts";
export { cutsPieces, joinedPieces, newParts, onlyDim, spreadPieces } from "./pieces.ts";
export { type RefusedForms, refusedForm } from "./plan-forms.ts";
export type { Port } from "./program-facts.ts";
export {
  type ClaimedRange,
  evenRangesOf,
  forwardBytes,
  meshOf,
  meshPartsOf,
  rangesOf,
} from "./program-facts.ts";
export type { Engine, OperatorScope, ProgramLines } from "./program-lines.ts";
export { pythonFunctions } from "./python-functions.ts";
export { axisNames, PythonNames, tuple } from "./python-names.ts";
export type { TextModel, TextNode } from "./text-model.ts";
export { writeProgram } from "./write-program.ts";
export { type WrittenFile, writtenFile } from "./written-file.ts";
