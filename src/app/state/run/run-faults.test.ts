import { expect, test } from "vitest";
import type { RunReport } from "#app/engine";
import { tensorId } from "#core/ir";
import { runFaults, wrongDevices } from "./run-faults.ts";

const tensor = (name: string, wrongCount: number) => ({
  ...{ tensor: tensorId(name), name, part: "forward" as const, isEqual: wrongCount === 0 },
  ...{ maxAbsDiff: wrongCount, maxRelDiff: 0, wrongCount },
  wrongDevices: wrongCount === 0 ? [] : [1, 3],
});

const report: RunReport = {
  ...{ kind: "different", sentence: "", engine: { name: "cpu" }, given: [], notes: [] },
  settings: { engine: "cpu", values: "integers", seed: 1, sizes: "fit", own: [] },
  ...{ deviceCount: 4, maxAbsDiff: 8, maxRelDiff: 0, wasLost: false, isSameSteps: true },
  tensors: [tensor("x", 0), tensor("h", 8), tensor("y", 1)],
  cell: { tensor: tensorId("h"), name: "h", device: 1, index: [0, 2], got: 1, want: 5, step: 3 },
};

test("tensors that a run found wrong are marked, the first with its cell", () => {
  const faults = [...runFaults(report)].map(([id, { message }]) => `${id}: ${message}`);
  expect(faults).toEqual([
    "h: 8 cells are wrong in the last run, the first of all at [0, 2] on device 1, made in step 4",
    "y: 1 cell is wrong in the last run",
  ]);
});

test("the devices of a wrong tensor are known while the run stands, and of a right one there are none", () => {
  const done = { kind: "done", verdict: report } as const;
  const wrong = wrongDevices({ run: done });
  expect([...wrong.keys()]).toEqual(["h", "y"]);
  expect([...(wrong.get(tensorId("h")) ?? [])]).toEqual([1, 3]);
  expect(wrongDevices({ run: done })).toBe(wrong);
  const equal = { ...done, verdict: { ...report, kind: "equal" } } as const;
  expect(wrongDevices({ run: equal }).size).toBe(0);
});
