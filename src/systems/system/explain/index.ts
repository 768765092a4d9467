// Editor services for a system's names.

export type {
  CompletionItem,
  CompletionKind,
  CompletionList,
  ExplainedText,
  Hover,
  Signature,
  SystemExplains,
} from "./explain.ts";
export { sampleAnnotation, signatureTable } from "./signature.ts";
