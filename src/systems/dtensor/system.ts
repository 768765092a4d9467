import type { System } from "#systems/system";
import { wrongChosenSteps } from "./chosen-steps.ts";
import { dtensorTarget } from "./export/code-target.ts";
import { dtensorReshards, dtensorRuns } from "./run/run.ts";
import { dtensorVerdict } from "./verdict.ts";

/** DTensor: its greedy redistribution, runs with its steps, and code for it. */
export const dtensor: System = {
  name: "dtensor",
  title: "DTensor",
  reshards: dtensorReshards,
  verdict: dtensorVerdict,
  runs: dtensorRuns,
  findings: wrongChosenSteps,
  writes: [dtensorTarget],
};
