import { type CodeTarget, runsOnce, torchrun, type WrittenProgram } from "#systems/arrays";
import { withRedistributions } from "./redistributions.ts";

/** Plans as code of DTensor. */
export const dtensorTarget: CodeTarget = {
  target: "dtensor",
  name: "DTensor",
  what: "whole tensors with placements, redistributed by PyTorch",
  compares: "numbers",
  launch: torchrun,
  refuses: {
    "micro-batches": runsOnce,
    uneven:
      "DTensor chunks a dim axis by axis, and its redistributions of uneven dims are not priced here",
    "several pieces": "a placement gives a rank one block of a dim",
    windows: "a placement gives ranks blocks that do not overlap",
  },
  // Intermediate steps do not count: DTensor's redistribution is given only its target.
  asWritten: (program) => withRedistributions(program, { isDirect: true }),
  load: async () => {
    const { writeDtensor } = await import("./write-dtensor.ts");
    const { dtensorWarnings } = await import("./warnings.ts");
    return {
      write: ({ program }) => writeDtensor(program),
      warnings: (written) => dtensorWarnings(...warnedOf(written)),
    };
  },
};

/**
 * Source positions are reported only when the mesh is in the text itself, not in a plan beside a
 * graph.
 */
function warnedOf({ program, source, planText, diagnostics, mesh: { span } }: WrittenProgram) {
  const isInText = span !== undefined && planText === undefined;
  const text = isInText ? { source, mesh: span } : undefined;
  return [program, planText === undefined ? diagnostics : [], text] as const;
}
