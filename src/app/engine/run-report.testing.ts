import type { RunReport, RunSettings } from "./index.ts";

/** Settings of runs in tests. */
export const onIntegers: RunSettings = {
  engine: "cpu",
  values: "integers",
  seed: 1,
  sizes: "fit",
  own: [],
};

/** Report of a run that equals the unsharded program. */
export const equalReport: RunReport = {
  kind: "equal",
  sentence: "Equals the unsharded program: 5 tensors, 4 devices, bit for bit.",
  engine: { name: "cpu" },
  settings: onIntegers,
  given: [],
  deviceCount: 4,
  tensors: [],
  maxAbsDiff: 0,
  maxRelDiff: 0,
  wasLost: false,
  isSameSteps: true,
  notes: [],
};
