// Files as others publish them, as programs of our own.

export {
  headLength,
  type ImportChoice,
  type NamedTensor,
  type PublishedFile,
  type PublishedFormat,
  type PublishedProgram,
  type ReadPublished,
} from "./format.ts";
export { publishedFormatOf, publishedFormats } from "./formats.ts";
