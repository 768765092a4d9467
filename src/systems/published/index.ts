// Files in published formats, read as programs.

export {
  type CompiledCollective,
  headLength,
  type ImportChoice,
  type MeasuredSteps,
  type NamedTensor,
  type PublishedFile,
  type PublishedFormat,
  type PublishedProgram,
  type ReadPublished,
} from "./format.ts";
export { publishedFormatOf, publishedFormats } from "./formats.ts";
export { type Beside, laidBeside, ownCollectives } from "./hlo/beside.ts";
export {
  type BesideMeasured,
  besideMeasured,
  type ModelledSteps,
  modelledSteps,
} from "./profile/beside.ts";
