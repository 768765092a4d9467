import { expect, test } from "vitest";
import { layoutSlices } from "./layout-slices.ts";

const mesh = [
  ["dp", 2],
  ["mp", 2],
];

test("slices come by device with coordinates, ranges and whether they are partial", () => {
  const answer = layoutSlices({ mesh, devices: [3, 2, 1, 0], shape: [4], layout: "dp|mp" });
  expect(answer).toEqual({
    ok: true,
    slices: [
      { device: 0, coordinates: { dp: 1, mp: 1 }, ranges: [[2, 4]], partial: true },
      { device: 1, coordinates: { dp: 1, mp: 0 }, ranges: [[2, 4]], partial: true },
      { device: 2, coordinates: { dp: 0, mp: 1 }, ranges: [[0, 2]], partial: true },
      { device: 3, coordinates: { dp: 0, mp: 0 }, ranges: [[0, 2]], partial: true },
    ],
    diagnostics: [],
  });
});

test.each([
  [{}],
  [{ mesh: [["dp"]], shape: [4], layout: "_" }],
  [{ mesh, shape: [4.5], layout: "_" }],
  [{ mesh, shape: [-1], layout: "_" }],
  [{ mesh, shape: [4] }],
  [{ mesh, shape: [4], layout: "tp" }],
  [{ mesh, shape: [4], layout: "dp,mp" }],
  [{ mesh, devices: [0, 0, 1, 2], shape: [4], layout: "dp" }],
  [{ mesh, devices: "all", shape: [4], layout: "dp" }],
  [{ mesh, shape: [4], layout: "~1000000000" }],
  [{ mesh, shape: [4, 4, 4], layout: "~100000,~100000,~100000" }],
])("a request that means nothing is refused, quickly: %j", (args) => {
  const answer = layoutSlices(args);
  expect(answer).toMatchObject({ ok: false, diagnostics: [{ severity: "error" }] });
});
