import { expect, test } from "vitest";
import { type DrawnTensor, glyphOf } from "#app/scene/glyph";
import { parseLayout, parseMesh } from "#core/mesh";
import { wrongSentence } from "../words.ts";
import { wrongAreas } from "./WrongBlocks.tsx";

const size = { width: 80, height: 80 };

function drawn(mesh: string, text: string, shape: readonly number[]): DrawnTensor {
  const read = parseMesh(mesh);
  const layout = read.ok ? parseLayout(text, read.value) : read;
  if (!layout.ok) throw new Error(layout.diagnostics[0]?.message);
  const dimNames = shape.map((_, dim) => `d${dim}`);
  const orientation = { rows: 0, columns: 1, outerRows: undefined, outerColumns: undefined };
  return { layout: layout.value, shape, dimNames, orientation };
}

test("blocks of wrong devices are found in the whole view, and no others", () => {
  const glyph = glyphOf(drawn("x=2,y=2", "x,y", [8, 8]), size);
  expect(wrongAreas(glyph, undefined)).toEqual([]);
  for (const device of [0, 1, 2, 3]) {
    const own = glyph.cells.filter(({ devices }) => devices.includes(device));
    expect(wrongAreas(glyph, new Set([device]))).toEqual(own.flatMap(({ areas }) => areas));
  }
  expect(wrongAreas(glyph, new Set([0, 3]))).toHaveLength(2);
});

test("a block that several devices hold is wrong where one of them is", () => {
  const glyph = glyphOf(drawn("x=2,y=2", "x,_", [8, 8]), size);
  const [first] = glyph.cells;
  expect(wrongAreas(glyph, new Set([1]))).toEqual(first?.areas);
  expect(wrongAreas(glyph, new Set([0, 1]))).toEqual(first?.areas);
});

test("where blocks are too many to be drawn, something of the drawing is marked all the same", () => {
  const glyph = glyphOf(drawn("x=64,y=64", "x,y", [4096, 4096]), size);
  expect(glyph.detail).not.toBe("cells");
  expect(wrongAreas(glyph, new Set([4095])).length).toBeGreaterThan(0);
});

test.each([
  [[2], "Wrong in the last run on device 2: its blocks are crossed out."],
  [[3, 0], "Wrong in the last run on devices 0, 3: their blocks are crossed out."],
  [
    Array.from({ length: 12 }, (_, at) => at),
    "Wrong in the last run on devices 0, 1, 2, 3, 4, 5, 6, 7 and 4 more: their blocks are crossed out.",
  ],
])("devices %j are told by name, many by their number", (devices, sentence) => {
  expect(wrongSentence(new Set(devices))).toBe(sentence);
});
