import { expect, test } from "vitest";
import type { Planned } from "#app/engine";
import type { SurveyStatus } from "#app/state/planning";
import { logSteps, stepNear } from "./slider-steps.ts";
import { bestRows, frontierOf, pointsOf } from "./survey-points.ts";

const taken = (seconds: number, bytes: number) => ({ seconds, bytes });

test.each([
  [[], []],
  [[[3, 1]], [[3, 1]]],
  [
    [
      [1, 9],
      [2, 5],
      [2, 6],
      [3, 5],
      [4, 1],
      [1, 9],
    ],
    [
      [4, 1],
      [2, 5],
      [1, 9],
    ],
  ],
])("of %j the plans that none beats are %j", (all, kept) => {
  const points = all.map(([seconds = 0, bytes = 0]) => taken(seconds, bytes));
  expect(frontierOf(points)).toEqual(kept.map(([seconds = 0, bytes = 0]) => taken(seconds, bytes)));
});

const planned = (seconds: number): Planned => ({
  ...{ kind: "planned", before: 9, bound: 1, model: "", seconds, bytes: 2 },
  ...{ changes: [], patterns: [], sentences: [], pins: [], notes: [], sizes: [] },
  ...{
    computeSeconds: seconds,
    communicationSeconds: 0,
    hiddenSeconds: 0,
    limit: "device",
    held: [],
  },
});

const status: SurveyStatus = {
  ...{ kind: "done", of: "x", done: 13, total: 13, own: undefined, note: undefined },
  rows: [
    { axes: [{ name: "", size: 3 }], answer: { kind: "refused", message: "no" } },
    ...Array.from({ length: 12 }, (_, at) => ({
      axes: [{ name: "dp", size: 12 - at }],
      answer: planned(at + 1),
    })),
  ],
};

test("the ten fastest plans are kept, and ordered by what is asked for", () => {
  const points = pointsOf("meshes", status);
  expect(points).toHaveLength(12);
  const rows = bestRows(points, ({ name }) => name, false);
  expect(rows.map(({ name }) => name)).toEqual(
    Array.from({ length: 10 }, (_, at) => `dp=${at + 3}`),
  );
  expect(bestRows(points, ({ seconds }) => seconds, true)[0]?.seconds).toBe(10);
});

test("steps of a slider go from the least to the most by one factor", () => {
  const steps = logSteps(1, 16, 4);
  expect(steps).toEqual([1, 2, 4, 8, 16]);
  expect([0.1, 3, 5.9, 1e9].map((value) => stepNear(steps, value))).toEqual([0, 2, 3, 4]);
});
