import { expect, test } from "vitest";
import {
  checkLayout,
  coordinatesOf,
  deviceCount,
  type Layout,
  localElements,
  localShape,
  parseLayout,
  parseMesh,
  partStride,
  printLayout,
  printPart,
  refineLayout,
  replicationOf,
  sameBlocks,
  sameLayout,
  wholeAxis,
} from "./index.ts";
import { passedValue } from "./layouts.testing.ts";

/** `x=2,y=2: x,_` is a mesh and a layout on it. */
function read(text: string): Layout {
  const [mesh = "", layout = ""] = text.split(": ");
  return passedValue(parseLayout(layout, passedValue(parseMesh(mesh))));
}

test.each`
  a                       | b                             | shape     | same
  ${"x=2,y=3: x,_"}       | ${"a=3,b=2@0,3,1,4,2,5: b,_"} | ${[4, 6]} | ${true}
  ${"x=2,y=3: x*y"}       | ${"a=6: a"}                   | ${[7]}    | ${true}
  ${"x=2,y=3: x*y"}       | ${"a=3,b=2: a*b"}             | ${[12]}   | ${true}
  ${"x=2,y=3: x,y"}       | ${"a=3,b=2: b,a"}             | ${[2, 3]} | ${false}
  ${"x=2,y=2: x*y"}       | ${"x=2,y=2: y*x"}             | ${[4]}    | ${false}
  ${"x=2,y=2: x*y"}       | ${"x=2,y=2@0,2,1,3: y*x"}     | ${[4]}    | ${true}
  ${"x=2: x*~2"}          | ${"x=2: x"}                   | ${[8]}    | ${true}
  ${"x=2: x*~2"}          | ${"x=2: x"}                   | ${[5]}    | ${false}
  ${"x=2: ~2*x"}          | ${"x=2: x"}                   | ${[8]}    | ${false}
  ${"x=2: x{2,2}"}        | ${"x=2: x"}                   | ${[4]}    | ${true}
  ${"x=2,y=2: x|y"}       | ${"x=2,y=2: x"}               | ${[4]}    | ${false}
  ${"x=2,y=2: x|y"}       | ${"x=2,y=2: x|max(y)"}        | ${[4]}    | ${false}
  ${"x=2,y=2: _|y"}       | ${"x=2,y=2: _|x"}             | ${[4]}    | ${false}
  ${"x=2,y=2: _|y"}       | ${"x=2,y=2@0,2,1,3: _|x"}     | ${[4]}    | ${true}
  ${"x=2,y=2: _|x,y"}     | ${"x=4: _|x"}                 | ${[4]}    | ${true}
  ${"x=2,o=1: _|o"}       | ${"x=2: _"}                   | ${[4]}    | ${true}
  ${"x=2: x,_"}           | ${"x=2: _,x"}                 | ${[0, 4]} | ${true}
  ${"x=2: _"}             | ${"x=2@4,5: _"}               | ${[4]}    | ${false}
  ${"x=4: x:(1)2*x:(2)2"} | ${"x=4: x"}                   | ${[4]}    | ${true}
`("$a and $b hold the same blocks of $shape: $same", ({ a, b, shape, same }) => {
  expect(sameBlocks(read(a), read(b), shape)).toBe(same);
  expect(sameBlocks(read(b), read(a), shape)).toBe(same);
});

test("layouts that are written alike are the same only on the same mesh", () => {
  expect(sameLayout(read("x=4: x:(1)2*x:(2)2"), read("x=4: x"))).toBe(true);
  expect(sameLayout(read("x=4: x"), read("x=4@1,0,2,3: x"))).toBe(false);
  const nested = passedValue(parseLayout("x*y", passedValue(parseMesh("x=2,y=2")), "nested"));
  expect(sameLayout(read("x=2,y=2: x*y"), nested)).toBe(false);
});

test.each`
  text                        | free
  ${"x=2,y=3: x"}             | ${"y"}
  ${"x=8: x:(2)2"}            | ${"x:(1)2 x:(4)2"}
  ${"x=8,o=1: x:(1)2|x:(4)2"} | ${"x:(2)2"}
  ${"x=2,y=2: y|x"}           | ${""}
  ${"x=2,y=2: ()"}            | ${"x y"}
`("$text repeats its data along $free", ({ text, free }) => {
  const layout = read(text);
  const parts = replicationOf(layout).map((part) => printPart(layout.mesh, part));
  expect(parts.join(" ")).toBe(free);
});

test.each`
  text                | shape     | local     | elements
  ${"x=2,y=2: x*y,_"} | ${[5, 3]} | ${[2, 3]} | ${6}
  ${"x=2: ~2*x"}      | ${[8]}    | ${[4]}    | ${4}
  ${"x=2: x{3,5}"}    | ${[8]}    | ${[5]}    | ${5}
  ${"x=4: x"}         | ${[0]}    | ${[0]}    | ${0}
  ${"x=4: ()"}        | ${[]}     | ${[]}     | ${1}
`("$text of $shape has the local shape $local", ({ text, shape, local, elements }) => {
  expect(localShape(read(text), shape)).toEqual(local);
  expect(localElements(read(text), shape)).toBe(elements);
});

test.each`
  text                     | shape  | codes
  ${"x=2: x,_"}            | ${[4]} | ${["mesh/rank-mismatch"]}
  ${"x=2: ()"}             | ${[4]} | ${["mesh/rank-mismatch"]}
  ${"x=2: x{3,5}"}         | ${[9]} | ${["mesh/bad-sizes"]}
  ${"x=2,y=2: _|x,max(y)"} | ${[4]} | ${["mesh/mixed-partials"]}
  ${"x=2,y=2: _|x,avg(y)"} | ${[4]} | ${[]}
  ${"x=2: x"}              | ${[5]} | ${[]}
`("$text on $shape is faulted with $codes", ({ text, shape, codes }) => {
  expect(checkLayout(read(text), shape).map(({ code }) => code)).toEqual(codes);
});

test("a layout made by hand is checked for axes that its mesh lacks", () => {
  const layout = { ...read("x=2: x"), mesh: passedValue(parseMesh("y=2")) };
  expect(checkLayout(layout, [4]).map(({ code }) => code)).toEqual(["mesh/unknown-axis"]);
});

test.each`
  text             | other            | refined
  ${"x=8: x"}      | ${"x=8: x:(2)2"} | ${"x:(1)2 x:(2)2 x:(4)2"}
  ${"x=8: x:(1)4"} | ${"x=8: x:(2)4"} | ${"x:(1)2 x:(2)2"}
  ${"x=6: x:(1)2"} | ${"x=6: x:(1)3"} | ${undefined}
  ${"x=6: x"}      | ${"x=6: x:(1)3"} | ${"x:(1)3 x:(3)2"}
  ${"x=2,y=2: y"}  | ${"x=2,y=2: x"}  | ${"y"}
`("$text beside $other is refined to $refined", ({ text, other, refined }) => {
  const layout = read(text);
  const cut = refineLayout(layout, read(other).dims[0]?.parts ?? []);
  const parts = cut?.dims[0]?.parts.map((part) => printPart(layout.mesh, part));
  expect(parts?.join(" ")).toBe(refined);
  if (cut !== undefined) expect(printLayout(cut)).toBe(printLayout(layout));
});

test("coordinates and strides follow the row-major order of the axes", () => {
  const mesh = passedValue(parseMesh("x=2,y=3,z=4"));
  expect(deviceCount(mesh)).toBe(24);
  expect(coordinatesOf(mesh, 23)).toEqual({ x: 1, y: 2, z: 3 });
  expect(coordinatesOf(mesh, 6)).toEqual({ x: 0, y: 1, z: 2 });
  expect(["x", "y", "z"].map((axis) => partStride(mesh, wholeAxis(mesh, axis)))).toEqual([
    12, 4, 1,
  ]);
  expect(partStride(mesh, { kind: "axis", axis: "z", before: 1, size: 2 })).toBe(2);
});

test("asking for an axis that the mesh lacks is a bug", () => {
  expect(() => wholeAxis(passedValue(parseMesh("x=2")), "y")).toThrow('no mesh axis "y"');
});
