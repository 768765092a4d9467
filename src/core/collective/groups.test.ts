import { expect, test } from "vitest";
import { parseLayout, parseMesh } from "#core/mesh";
import { groupsOf } from "./index.ts";
import { passedValue, testExchange } from "./steps.testing.ts";

test.each`
  mesh                 | parts              | groups
  ${"x=2,y=2"}         | ${"x"}             | ${"0,2 1,3"}
  ${"x=2,y=2"}         | ${"y"}             | ${"0,1 2,3"}
  ${"x=2,y=3"}         | ${"y*x"}           | ${"0,3,1,4,2,5"}
  ${"x=2,y=3"}         | ${"x*y"}           | ${"0,1,2,3,4,5"}
  ${"a=2,b=2,c=2"}     | ${"c*a"}           | ${"0,4,1,5 2,6,3,7"}
  ${"x=8"}             | ${"x:(2)2"}        | ${"0,2 1,3 4,6 5,7"}
  ${"x=8"}             | ${"x:(4)2*x:(1)2"} | ${"0,4,1,5 2,6,3,7"}
  ${"x=2,y=2@3,1,0,2"} | ${"x"}             | ${"3,0 1,2"}
  ${"x=1,y=2"}         | ${"x"}             | ${"0 1"}
  ${"x=2,y=2"}         | ${"_"}             | ${"0 1 2 3"}
`("the groups of $mesh along $parts are $groups", ({ mesh, parts, groups }) => {
  const layout = passedValue(parseLayout(parts, passedValue(parseMesh(mesh))));
  const found = groupsOf(layout.mesh, layout.dims[0]?.parts ?? []);
  expect(found.map((group) => group.join(",")).join(" ")).toBe(groups);
});

test("an exchange groups the devices that its transfers connect", () => {
  const mesh = passedValue(parseMesh("x=2,y=2"));
  const [from, to] = ["x,y", "x,_"].map((text) => passedValue(parseLayout(text, mesh)));
  if (from === undefined || to === undefined) throw new Error("two layouts");
  expect(testExchange(from, to, [4, 4]).groups).toEqual([
    [0, 1],
    [2, 3],
  ]);
  expect(testExchange(from, from, [4, 4]).groups).toEqual([]);
});
