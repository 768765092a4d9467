import { expect, test } from "vitest";
import { broadcastShape } from "./broadcast-shape.ts";

// Shapes separated by `;`, as NumPy 2 and PyTorch broadcast them; `-` where they refuse.
test.each`
  shapes           | result
  ${""}            | ${""}
  ${"4,3"}         | ${"4,3"}
  ${"4,3;3"}       | ${"4,3"}
  ${"4,1;1,3"}     | ${"4,3"}
  ${"1;1,1"}       | ${"1,1"}
  ${"4,3;4"}       | ${"-"}
  ${"2;1;3"}       | ${"-"}
  ${"5;1,5;2,1,1"} | ${"2,1,5"}
  ${"0;1"}         | ${"0"}
  ${"1;0"}         | ${"0"}
  ${"0;2"}         | ${"-"}
`("$shapes broadcast to $result", ({ shapes, result }) => {
  const read = (text: string) => (text === "" ? [] : text.split(",").map(Number));
  expect(broadcastShape(shapes.split(";").map(read))?.join() ?? "-").toBe(result);
});
