import { expect, test } from "vitest";
import { tensorId } from "#core/ir";
import { parseLayout, parseMesh, printLayout } from "#core/mesh";
import type { DimGesture } from "#edit";
import { axesOn, layoutAfter } from "./layout-after.ts";

function layoutOf(text: string) {
  const mesh = parseMesh("dp=2,mp=4");
  if (!mesh.ok) throw new Error("mesh");
  const layout = parseLayout(text, mesh.value);
  if (!layout.ok) throw new Error(text);
  return layout.value;
}

test.each`
  before       | gesture                                | after
  ${"dp,_"}    | ${{ kind: "split", axis: "mp" }}       | ${"dp*mp,_"}
  ${"dp*mp,_"} | ${{ kind: "unsplit", axis: "dp" }}     | ${"mp,_"}
  ${"_,dp"}    | ${{ kind: "move", axis: "dp" }}        | ${"dp,_"}
  ${"dp*mp,_"} | ${{ kind: "set", axes: ["mp", "dp"] }} | ${"mp*dp,_"}
  ${"dp*mp,_"} | ${{ kind: "whole" }}                   | ${"_,_"}
  ${"dp,_"}    | ${{ kind: "split", axis: "tp" }}       | ${"dp,_"}
  ${"dp,_|mp"} | ${{ kind: "scatter", axis: "mp" }}     | ${"dp*mp,_"}
`("$gesture on $before draws $after", ({ before, gesture, after }) => {
  const whole: DimGesture = { ...gesture, tensor: tensorId("t"), dim: 0 };
  expect(printLayout(layoutAfter(layoutOf(before), whole))).toBe(printLayout(layoutOf(after)));
});

test("the axes on a dim are those that cut it, outermost first", () => {
  expect(axesOn(layoutOf("mp*dp,_"), 0)).toEqual(["mp", "dp"]);
  expect(axesOn(layoutOf("mp*dp,_"), 1)).toEqual([]);
});
