import type { System } from "#systems/system";
import { wrongChosenSteps } from "./chosen-steps.ts";
import { dtensorTarget } from "./export/code-target.ts";
import { dtensorRuns, dtensorSteps } from "./run/run.ts";

/** DTensor: its greedy redistribution, and a program whose text takes its steps. */
export const dtensor: System = {
  ...dtensorSteps,
  runs: dtensorRuns,
  findings: wrongChosenSteps,
  writes: [dtensorTarget],
};
