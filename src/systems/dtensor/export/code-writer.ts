import { type CodeWriter, torchrun } from "#systems/arrays";
import { dtensorWarnings } from "./warnings.ts";
import { writeDtensor } from "./write-dtensor.ts";

/** Plans as code of DTensor. */
export const dtensorCode: CodeWriter = {
  target: "dtensor",
  name: "DTensor",
  what: "whole tensors with placements, redistributed by PyTorch",
  compares: "numbers",
  write: ({ program }) => writeDtensor(program),
  launch: torchrun,
  warnings: ({ program, source, planText, diagnostics, mesh: { span } }) => {
    const isInText = span !== undefined && planText === undefined;
    const text = isInText ? { source, mesh: span } : undefined;
    return dtensorWarnings(program, planText === undefined ? diagnostics : [], text);
  },
};
