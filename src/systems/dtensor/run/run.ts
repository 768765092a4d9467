import {
  countedRows,
  type ReshardingSystem,
  type SystemReshards,
  type SystemRuns,
  walkProgram,
} from "#systems/system";
import { dtensorReshard } from "../dtensor-reshard.ts";
import { wrongSteps } from "./wrong-steps.ts";

/** DTensor's greedy redistribution. */
export const dtensorReshards: SystemReshards = {
  note: "DTensor's greedy planner, without flattened meshes",
  between: dtensorReshard,
  wordsOf: ({ collective }) => collective.replaceAll("-", "_"),
};

const dtensorSteps: ReshardingSystem = {
  name: "dtensor",
  title: "DTensor",
  reshards: dtensorReshards,
};

/**
 * Runs of programs of library operators that take DTensor's steps somewhere; the run uses those
 * steps for every redistribution.
 */
export const dtensorRuns: SystemRuns = {
  owns: ({ trace, graph: { operators } }) =>
    trace.reshards.some(({ steps }) => steps === "dtensor") &&
    trace.partitions.length + trace.unassigned.length === 0 &&
    operators.every(({ entry, reducesInside }) => entry !== undefined && !reducesInside),
  rows: (program) => countedRows(walkProgram(program, dtensorSteps, { isShown: () => true }).rows),
  notes: () => [
    "These are the steps of DTensor's greedy planner between the layouts of this plan, on every redistribution. Left alone, DTensor takes layouts of its own after each operator; those are not shown.",
  ],
  wrong: wrongSteps,
};
