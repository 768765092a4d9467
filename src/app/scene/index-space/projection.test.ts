import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { type Box, containsBox, type Projection, volumeOf } from "#core/indexspace";
import {
  boxRects,
  cutLine,
  drawingOf,
  gridLines,
  indicesAt,
  rectsOf,
} from "./projection-drawing.ts";
import {
  imageNote,
  imagesOf,
  movedWindow,
  parseRange,
  rangeText,
  resizedWindow,
  sharedCellsOf,
  wholeOf,
} from "./projection-images.ts";
import { projectionSpaceOf, type SpaceDim, type SpaceOperand } from "./projection-space.ts";

const runs = (count: number) => ({ seed: 1, numRuns: process.env.SOAK ? count * 20 : count });

/** A box from text such as `0:4 2:6`. */
function box(text: string): Box {
  const words = text.split(" ").filter((word) => word !== "");
  return words.map((word) => {
    const [start = 0, stop = 0] = word.split(":").map(Number);
    return { start, stop };
  });
}

function dims(text: string): readonly SpaceDim[] {
  return box(text).map((range, at) => ({ name: `d${at}`, range }));
}

function operand(shape: string, projection: Projection): SpaceOperand {
  return { name: "t", side: "input", dims: dims(shape), projection };
}

const row = (coefficients: readonly number[], offset = 0, extent = 1) => ({
  coefficients,
  offset,
  extent,
});

function spaceOf(text: string, name: string) {
  const compiled = compile(text);
  const operator = compiled.graph.operators.find((each) => each.name === name);
  const space = operator && projectionSpaceOf(compiled, operator.id);
  if (space === undefined) throw new Error(`no operator ${name}`);
  return space;
}

const matmul = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 6))
w = Parameter((6, 4))
y = matmul(x, w)
strategy(y, m="dp", n="mp")
`;

test("a matmul's window touches rows of one operand, columns of the other, and its own cells", () => {
  const space = spaceOf(matmul, "y");
  expect(space.axes.map(({ name, range }) => `${name} ${range.stop}`)).toEqual([
    "m 8",
    "k 6",
    "n 4",
  ]);
  const images = imagesOf(space, box("2:4 0:6 1:3"));
  expect(images.map((image) => rangeText(image.box))).toEqual([
    "zr[2:4, 0:6]",
    "zr[0:6, 1:3]",
    "zr[2:4, 1:3]",
  ]);
  const point = imagesOf(
    space,
    [7, 5, 0].map((at) => ({ start: at, stop: at + 1 })),
  );
  expect(point.map(({ cells }) => cells)).toEqual([1, 1, 1]);
});

test("shards are what each device computes, with a cut in the hue of its mesh axis", () => {
  const { shards, cuts } = spaceOf(matmul, "y");
  expect(shards.map(({ device, box: part }) => `${device} ${rangeText(part)}`)).toEqual([
    "0 zr[0:4, 0:6, 0:2]",
    "1 zr[0:4, 0:6, 2:4]",
    "2 zr[4:8, 0:6, 0:2]",
    "3 zr[4:8, 0:6, 2:4]",
  ]);
  expect(cuts).toEqual([
    { axis: 0, at: 4, hue: 1 },
    { axis: 2, at: 2, hue: 2 },
  ]);
});

test("a bracket moves by what stands behind its axis", () => {
  const space = spaceOf(
    `# annotation: h t k -> (h t) k
def merge(x):
    return x.flatten(0, 1)

x = Tensor((2, 3, 4))
y = merge(x)
`,
    "y",
  );
  const output = space.operands.length - 1;
  const axis = space.axes.findIndex(({ range }) => range.stop === 3);
  const window = wholeOf(space.axes).map((range, at) =>
    at === axis ? { start: 1, stop: 2 } : range,
  );
  expect(imagesOf(space, window)[output]?.runs[0]).toEqual(box("1:2 4:5"));
});

test.each`
  index    | window   | touched
  ${"0:4"} | ${"0:2"} | ${["zr[0:5]"]}
  ${"0:4"} | ${"2:4"} | ${["zr[4:9]"]}
`("windows of a convolution with stride 2 and 3 cells: $window", ({ index, window, touched }) => {
  const conv = operand("0:9", [row([2], 0, 3)]);
  expect(dims(index).length).toBe(1);
  expect(imagesOf({ operands: [conv] }, box(window)).map((image) => rangeText(image.box))).toEqual(
    touched,
  );
});

test("shards of a convolution share their halo, copies of a whole tensor share nothing", () => {
  const operands = [
    operand("0:10 0:10", [row([1, 0], 0, 3), row([0, 1], 0, 3)]),
    operand("0:3 0:3", [row([0, 0], 0, 3), row([0, 0], 0, 3)]),
    operand("0:8 0:8", [row([1, 0]), row([0, 1])]),
  ];
  const shards = ["0:4 0:8", "4:8 0:8"].map((text, device) => ({ device, box: box(text) }));
  const shared = sharedCellsOf({ operands, shards });
  expect(shared.map(({ boxes }) => boxes.map(rangeText))).toEqual([["zr[4:6, 0:10]"], [], []]);
});

test("a stride larger than its extent leaves gaps, and the note says so", () => {
  const strided = operand("0:7", [row([2])]);
  const [image] = imagesOf({ operands: [strided] }, box("0:4"));
  expect(image?.runs[0]).toEqual(box("0:1 2:3 4:5 6:7"));
  expect(image && imageNote(image, strided)).toBe("4 cells, with gaps, in a box of 7");
  const diagonal = operand("0:4 0:4", [row([1]), row([1])]);
  const [square] = imagesOf({ operands: [diagonal] }, box("0:2"));
  expect(square && imageNote(square, diagonal)).toBe("at most 4 cells");
  const [beyond] = imagesOf({ operands: [operand("0:3", [row([1], 2)])] }, box("0:2"));
  expect(beyond && imageNote(beyond, operand("0:3", []))).toBe(
    "2 cells, reaches beyond the tensor",
  );
});

const window2 = fc.tuple(
  fc.nat(5),
  fc.nat(5),
  fc.integer({ min: 1, max: 6 }),
  fc.integer({ min: 1, max: 6 }),
);

test("a window never leaves the index space and keeps a point", () => {
  const axes = dims("-2:4 3:9");
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.boolean(), fc.nat(1), fc.integer({ min: -9, max: 9 })), {
        maxLength: 12,
      }),
      (moves) => {
        let window = wholeOf(axes);
        for (const [isMove, axis, by] of moves) {
          window = (isMove ? movedWindow : resizedWindow)(axes, window, axis, by);
        }
        return containsBox(wholeOf(axes), window) && volumeOf(window) > 0;
      },
    ),
    runs(100),
  );
});

test("every touched cell lies in the box, and the runs touch what points touch", () => {
  const factor = fc.integer({ min: -3, max: 3 });
  fc.assert(
    fc.property(factor, factor, fc.integer({ min: 1, max: 3 }), window2, (a, b, extent, parts) => {
      const [x, y, width, height] = parts;
      const window = box(`${x}:${x + width} ${y}:${y + height}`);
      const projection = [row([a, b], 1, extent)];
      const [image] = imagesOf({ operands: [operand("0:1", projection)] }, window);
      const touched = new Set<number>();
      for (let i = x; i < x + width; i++)
        for (let j = y; j < y + height; j++)
          for (let at = 0; at < extent; at++) touched.add(a * i + b * j + 1 + at);
      const inRuns = (image?.runs[0] ?? []).flatMap(({ start, stop }) =>
        Array.from({ length: stop - start }, (_, at) => start + at),
      );
      expect(new Set(inRuns)).toEqual(touched);
      expect(image?.box).toEqual([{ start: Math.min(...touched), stop: Math.max(...touched) + 1 }]);
    }),
    runs(200),
  );
});

test("the last two dims are a plane, the others strips, and a place names its indices", () => {
  const drawing = drawingOf(dims("0:3 0:4 0:8"), { width: 80, height: 100 });
  expect(drawing.strips.map(({ dim }) => dim)).toEqual([0]);
  expect(drawing.plane).toEqual({ x: 0, y: 24, width: 80, height: 40 });
  expect([...indicesAt(drawing, 79, 63)]).toEqual([
    [1, 3],
    [2, 7],
  ]);
  expect([...indicesAt(drawing, 40, 4)]).toEqual([[0, 1]]);
  expect([...indicesAt(drawing, -5, 500)]).toEqual([
    [1, 3],
    [2, 0],
  ]);
  expect(gridLines(drawing).length).toBe(3 + 7 + 2);
  expect(cutLine(drawing, 2, 4)).toEqual({ x: 40, y: 24, width: 0, height: 40 });
  expect(cutLine(drawing, 0, 1)?.x).toBeCloseTo(80 / 3);
});

test("a box is drawn in the plane and in every strip, runs one by one", () => {
  const drawing = drawingOf(dims("0:2 0:4 0:8"), { width: 80, height: 64 });
  expect(boxRects(drawing, box("1:2 0:2 4:8"))).toEqual([
    { x: 40, y: 24, width: 40, height: 20 },
    { x: 40, y: 0, width: 40, height: 16 },
  ]);
  const apart = rectsOf(drawing, [box("0:2"), box("0:1 2:3"), box("0:8")]);
  expect(apart.length).toBe(3);
  expect(rectsOf(drawing, [[], box("0:1"), box("0:1")])).toEqual([]);
  expect(boxRects(drawingOf([], { width: 50, height: 50 }), [])).toEqual([
    { x: 0, y: 0, width: 28, height: 28 },
  ]);
});

test("a LoomGraph's windows are those of its projections, counted as its text counts", () => {
  const example = examples.find(({ name }) => name === "loom-convolution");
  if (example?.plan === undefined) throw new Error("no convolution");
  const compiled = compile(example.program, { planText: example.plan });
  const [operator] = compiled.graph.operators;
  const space = operator && projectionSpaceOf(compiled, operator.id);
  if (space === undefined) throw new Error("no index space");
  expect(space.shards.map((shard) => rangeText(shard.box))).toEqual([
    "zr[0:8, 0:8]",
    "zr[0:8, 8:16]",
    "zr[8:16, 0:8]",
    "zr[8:16, 8:16]",
  ]);
  const names = space.operands.map(({ name }) => name);
  const boxes = imagesOf(space, box("8:16 0:8")).map((image) => rangeText(image.box));
  expect(Object.fromEntries(names.map((name, at) => [name, boxes[at]]))).toEqual({
    filter: "zr[0:3, 0:3]",
    image: "zr[16:33, 0:17]",
    response: "zr[8:16, 0:8]",
  });
  const halos = sharedCellsOf(space).map(({ boxes: shared }) => shared.length);
  expect(halos[names.indexOf("image")]).toBeGreaterThan(0);
  expect(halos[names.indexOf("response")]).toBe(0);
});

test("an index and tensors that begin elsewhere keep their own numbers", () => {
  const example = examples.find(({ name }) => name === "loom-broadcast-add");
  const shifted = (example?.program ?? "")
    .replaceAll("[ 0, 0, 0 ],\n", "[ -5, 0, 20 ],\n")
    .replaceAll("[ 10, 10, 10 ]", "[ 5, 10, 30 ]")
    .replaceAll('"start" : [ 0, 0 ]', '"start" : [ 0, 20 ]')
    .replaceAll("[ 1, 10 ]", "[ 1, 30 ]");
  const compiled = compile(shifted, { planText: 'mesh = Mesh(dp=2)\nstrategy("add", i="dp")\n' });
  expect(compiled.diagnostics).toEqual([]);
  const [operator] = compiled.graph.operators;
  const space = operator && projectionSpaceOf(compiled, operator.id);
  if (space === undefined) throw new Error("no index space");
  expect(space.shards.map((shard) => rangeText(shard.box))).toEqual([
    "zr[-5:0, 0:10, 20:30]",
    "zr[0:5, 0:10, 20:30]",
  ]);
  const images = imagesOf(space, box("-5:0 2:3 20:30")).map((image) => rangeText(image.box));
  expect(images).toEqual(["zr[-5:0, 2:3, 20:30]", "zr[0:1, 20:30]", "zr[-5:0, 2:3, 20:30]"]);
});

test.each`
  text                | rank | read
  ${"zr[0:10, -5:5]"} | ${2} | ${"zr[0:10, -5:5]"}
  ${" 3 : 4 "}        | ${1} | ${"zr[3:4]"}
  ${"zr[]"}           | ${0} | ${"zr[]"}
  ${"0:10, 0:5"}      | ${1} | ${"it has 1 dim, not 2"}
  ${"5:3"}            | ${1} | ${"5:3 ends before it begins"}
  ${"0:10:2"}         | ${1} | ${"a range is written 0:10, 0:5"}
  ${"0:10, x"}        | ${2} | ${"a range is written 0:10, 0:5"}
  ${"[[0:1]]"}        | ${1} | ${"a range is written 0:10, 0:5"}
`("$text is read as a range of $rank dims: $read", ({ text, rank, read }) => {
  const found = parseRange(text, rank);
  expect(typeof found === "string" ? found : rangeText(found)).toBe(read);
});
