import { communicationCount } from "#core/reshard";
import {
  type Cause,
  countedRows,
  type ReshardingSystem,
  type SystemReshards,
  type SystemRuns,
  walkProgram,
} from "#systems/system";
import { nnscalerReshard } from "../adapter-reshard.ts";
import { pairNames } from "./pairs.ts";
import { wrongSteps } from "./wrong-steps.ts";

/** nnScaler's adapters as the resharding of a system. */
export const nnscalerReshards: SystemReshards = {
  note: "nnScaler's adapter between two layouts on the same devices",
  between: nnscalerReshard,
  wordsOf: ({ collective }) => (collective === "slice" ? "chunk" : collective),
  cause: ownCause,
};

const nnscalerSteps: ReshardingSystem = {
  name: "nnscaler",
  title: "nnScaler",
  reshards: nnscalerReshards,
};

/** A whole program as nnScaler runs it: adapters forward and backward, in pairs. */
export const nnscalerRuns: SystemRuns = {
  owns: ({ trace, graph: { operators } }) => {
    const isAnnotated = operators.some(({ entry }) => entry === undefined);
    const hasPolicy = trace.partitions.length + trace.unassigned.length > 0;
    const isOther = operators.some(({ reducesInside }) => reducesInside);
    return (isAnnotated || hasPolicy) && !isOther;
  },
  rows: (program) => {
    const pairName = pairNames(program);
    const { rows } = walkProgram(program, nnscalerSteps, {
      isShown: () => true,
      beside: (redistribution) => {
        const name = pairName(redistribution);
        return name && `With its backward half nnScaler calls it ${name}.`;
      },
    });
    return countedRows(rows);
  },
  notes: () => [
    "nnScaler picks the adapter of a tensor by the elements that one group sends, without bandwidth or latency; forward and backward are one pair.",
  ],
  wrong: wrongSteps,
  reasonWords: { operand: "adapter", mirror: "weight reducer" },
};

function ownCause(...[ours, theirs, { codes }]: Parameters<Cause>): string | undefined {
  if (codes.includes("nnscaler/copied-everywhere")) {
    return "nnScaler cannot line up the devices along its path, so it copies the whole tensor to all of them first.";
  }
  if (communicationCount(theirs.steps) > communicationCount(ours.steps)) {
    return "nnScaler changes one count at a time (copies, partial values, pieces of a dim) and prices elements alone; ours moves several axes in one collective.";
  }
  return undefined;
}
