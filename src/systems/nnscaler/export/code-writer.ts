import { type CodeWriter, torchrun } from "#systems/arrays";
import { writeNnscaler, writePolicy } from "./write-nnscaler.ts";

/** Plans as code of nnScaler. */
export const nnscalerCode: CodeWriter = {
  target: "nnscaler",
  name: "nnScaler",
  what: "the forward program as a model with a policy",
  compares: "numbers",
  write: ({ program }) => writeNnscaler(program),
  launch: torchrun,
};

/** Plans as policies of nnScaler for the module of a text. */
export const nnscalerPolicyCode: CodeWriter = {
  target: "nnscaler-policy",
  name: "nnScaler policy",
  what: "for the module of the text: where you have it, the file imports it",
  compares: "numbers",
  write: ({ program, textModel }) => writePolicy(program, textModel),
  launch: torchrun,
};
