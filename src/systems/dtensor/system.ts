import type { System } from "#systems/system";
import { wrongChosenSteps } from "./chosen-steps.ts";
import { dtensorTarget } from "./export/code-target.ts";
import { dtensorReshards, dtensorRuns } from "./run/run.ts";
import { dtensorVerdict } from "./verdict.ts";

/** DTensor: its greedy redistribution, and a program whose text takes its steps. */
export const dtensor: System = {
  name: "dtensor",
  title: "DTensor",
  reshards: dtensorReshards,
  verdict: dtensorVerdict,
  runs: dtensorRuns,
  findings: wrongChosenSteps,
  writes: [dtensorTarget],
};
