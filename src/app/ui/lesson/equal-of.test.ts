import { expect, test } from "vitest";
import { equalReport } from "../../engine/run-report.testing.ts";
import { equalOf } from "./equal-of.ts";

const equal = equalReport;
const different = { ...equal, kind: "different" } as const;
const fault = { how: "swap", step: 3 } as const;

test.each([
  ["nothing", { kind: "none" } as const, undefined],
  ["a run", { kind: "done", verdict: equal } as const, true],
  ["a run that came out otherwise", { kind: "done", verdict: different } as const, false],
  ["a fault", { kind: "done", verdict: different, fault } as const, false],
  ["a fault that made no difference", { kind: "done", verdict: equal, fault } as const, undefined],
])("whether the plan ran right, behind %s", (_, run, isEqual) => {
  expect(equalOf({ run })).toBe(isEqual);
});
