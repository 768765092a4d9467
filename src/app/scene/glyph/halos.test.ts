import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { type Compiled, compile, restState } from "#compile";
import { type Box, boxesWithout, volumeOf } from "#core/indexspace";
import { operatorId, tensorId } from "#core/ir";
import type { Mark } from "../mark.ts";
import { heldText, liveTensors } from "../player/index.ts";
import { operatorFrameOf } from "../player/operator-frame.ts";
import { type DrawnTensor, drawnIn } from "./drawn-dims.ts";
import { deviceGlyphsOf, glyphOf, type Halos, haloSentence, halosOf, readsText } from "./index.ts";

const example = examples.find(({ name }) => name === "loom-convolution");

interface Sliding {
  readonly points: number;
  readonly step: number;
  readonly taps: number;
}

/** The gallery's convolution with other sizes, steps and filters, one per dim. */
function convolution(dims: readonly Sliding[]): string {
  const graph = JSON.parse(example?.program ?? "");
  const lengths = dims.map(({ points, step, taps }) => step * (points - 1) + taps);
  const range = (ends: readonly number[]) => ({ start: ends.map(() => 0), end: ends });
  for (const node of graph.nodes) {
    const { body, tags, label } = node;
    const size = { filter: dims.map(({ taps }) => taps), image: lengths }[String(label)];
    if (body.range !== undefined) body.range = range(size ?? dims.map(({ points }) => points));
    if (tags === undefined) continue;
    body.inputs.filter[0].range = range(dims.map(({ taps }) => taps));
    body.inputs.image[0].range = range(lengths);
    body.outputs.response[0].range = range(dims.map(({ points }) => points));
    for (const value of Object.values<Record<string, unknown>>(tags)) {
      if ("end" in value) value.end = dims.map(({ points }) => points);
      else {
        const signature = JSON.parse(JSON.stringify(value));
        const rows = dims.map(({ step }, at) => dims.map((_, axis) => (axis === at ? step : 0)));
        signature.inputs.image[0].affineMap.projection = rows;
        signature.inputs.image[0].shape = dims.map(({ taps }) => taps);
        signature.inputs.filter[0].shape = dims.map(({ taps }) => taps);
        Object.assign(value, signature);
      }
    }
  }
  return JSON.stringify(graph);
}

function drawnImage(compiled: Compiled): {
  readonly drawn: DrawnTensor;
  readonly halos: Halos | undefined;
} {
  const view = compiled.tensors.find(({ tensor }) => tensor === "image");
  const tensor = compiled.graph.tensors.find(({ id }) => id === "image");
  if (view === undefined || tensor === undefined) throw new Error("no image");
  const { layout } = restState(view);
  const halos = halosOf(compiled, operatorId("conv"), tensorId("image"), layout);
  return { drawn: { ...drawnIn(compiled, tensor, layout), ...(halos && { halos }) }, halos };
}

const sliding = fc.record({
  points: fc.integer({ min: 2, max: 9 }),
  step: fc.integer({ min: 1, max: 3 }),
  taps: fc.integer({ min: 1, max: 5 }),
});

const plans = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 3 }), fc.boolean(), fc.boolean())
  .map(([rows, cols, cutsBoth, isPlaced]) => {
    const cut = cutsBoth ? 'h="rows", w="cols"' : 'w="rows"';
    const place = isPlaced ? 'place("image", mesh.layout("cols", "rows"))\n' : "";
    return `mesh = Mesh(rows=${rows}, cols=${cols})\nstrategy("conv", ${cut})\n${place}`;
  });

function cells(boxes: readonly Box[]): number {
  return boxes.reduce((sum, box) => sum + volumeOf(box), 0);
}

test("own part and halo cover what a device reads, and a halo is the window without the own part", () => {
  let haloed = 0;
  fc.assert(
    fc.property(fc.tuple(sliding, sliding), plans, (dims, planText) => {
      const { drawn, halos } = drawnImage(compile(convolution(dims), { planText }));
      for (const { own, windows, halos: lacking } of halos?.devices ?? []) {
        expect(boxesWithout(windows, [...own, ...lacking])).toEqual([]);
        expect(boxesWithout(lacking, windows)).toEqual([]);
        expect(cells(boxesWithout(own, lacking))).toBe(cells(own));
        haloed += lacking.length;
      }
      expectInside(drawn);
    }),
    { seed: 1, numRuns: process.env.SOAK === undefined ? 60 : 600 },
  );
  expect(haloed).toBeGreaterThan(100);
});

/** Checks that every halo lies inside the drawing and is wide enough to be seen. */
function expectInside(drawn: DrawnTensor): void {
  const size = { width: 148, height: 112 };
  const glyph = glyphOf(drawn, size);
  const { tile, tiles } = deviceGlyphsOf(drawn, { width: 62, height: 38 });
  const all = [
    ...glyph.marks.map((mark) => [mark, glyph] as const),
    ...tiles.flatMap(({ marks }) => marks.map((mark) => [mark, tile] as const)),
  ];
  for (const [mark, room] of all) {
    if (!isHalo(mark)) continue;
    expect(Math.min(mark.width, mark.height)).toBeGreaterThanOrEqual(2);
    expect(Math.min(mark.x, mark.y)).toBeGreaterThanOrEqual(-0.001);
    expect(mark.x + mark.width).toBeLessThanOrEqual(room.width + 0.001);
    expect(mark.y + mark.height).toBeLessThanOrEqual(room.height + 0.001);
    expect(mark.hue).toBeDefined();
  }
  for (const [at, { halos = [] }] of (drawn.halos?.devices ?? []).entries()) {
    expect(tiles[at]?.marks.some(isHalo) ?? false).toBe(halos.length > 0);
  }
}

function isHalo(mark: Mark): mark is Extract<Mark, { kind: "rect" }> {
  return mark.kind === "rect" && mark.role === "halo";
}

test("axis bars that stand for parts too fine to draw show on which sides there is a halo", () => {
  const dims = [1, 2].map(() => ({ points: 64, step: 1, taps: 3 }));
  const sizes = [
    { width: 58, height: 50 },
    { width: 148, height: 112 },
    { width: 24, height: 20 },
  ];
  const cuts = [
    ["rows=64, cols=1", 'w="rows"', 1],
    ["rows=1, cols=64", 'h="cols"', 1],
    ["rows=32, cols=32", 'h="rows", w="cols"', 2],
  ] as const;
  for (const [mesh, cut, cutDims] of cuts) {
    const planText = `mesh = Mesh(${mesh})\nstrategy("conv", ${cut})\n`;
    const { drawn, halos } = drawnImage(compile(convolution(dims), { planText }));
    const { halos: _, ...plain } = drawn;
    for (const size of sizes) {
      const glyph = glyphOf(drawn, size);
      expect(glyph.detail).toBe("bars");
      const strips = glyph.marks.filter(isHalo);
      expect(strips.length).toBeGreaterThanOrEqual(cutDims);
      expect(new Set(strips.map(({ hue }) => hue)).size).toBe(cutDims);
      expect(glyphOf(plain, size).marks.some(isHalo)).toBe(false);
      for (const { x, y, width, height } of strips) {
        expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(glyph.width);
        expect(y + height).toBeLessThanOrEqual(glyph.height);
      }
    }
    expect(halos?.devices.some(({ halos: lacking }) => lacking.length > 0)).toBe(true);
  }
});

test("the gallery's convolution: a strip between neighbours, the sentence, the table, the step", () => {
  const compiled = compile(example?.program ?? "", { planText: example?.plan ?? "" });
  const { drawn, halos } = drawnImage(compiled);
  if (halos === undefined) throw new Error("no halos");
  expect(haloSentence(halos, drawn.dimNames)).toBe(
    `For conv each device reads 17 by 17, including up to 1 row of h and 1 row of w that others hold.`,
  );
  expect([0, 3].map((device) => readsText(halos, device))).toEqual(["0…16, 0…16", "16…32, 16…32"]);
  expect(halos.devices.map((device) => device.halos.length)).toEqual([0, 1, 1, 2]);
  const frames = [0, 1, 2].map((place) => operatorFrameOf(compiled, place));
  const frame = frames.find((each) => each?.name === "conv");
  const place = frames.indexOf(frame);
  const image = liveTensors(compiled, place).find(
    ({ name, use }) => name === "image" && use === "reads",
  );
  if (image === undefined) throw new Error("no image is held");
  expect(heldText(image, 3)).toBe("h 16…32, w 16…32");
  const read = frame?.operands.filter((operand) => operand.drawn.halos !== undefined);
  expect(read?.map(({ name }) => name)).toEqual(["image"]);
  expect(frame?.caption).toContain(
    "Of image: For conv each device reads 17 by 17, including up to 1 row of h",
  );
});

test("clean blocks, whole operands and tensors that an operator does not read have no halos", () => {
  const of = (name: string, reader: string, tensor: string) => {
    const { program = "", plan = "" } = examples.find((each) => each.name === name) ?? {};
    const compiled = compile(program, { planText: plan });
    const layout = compiled.tensors.find((view) => view.tensor === tensor)?.layout;
    if (layout === undefined) throw new Error(`no ${tensor}`);
    return halosOf(compiled, operatorId(reader), tensorId(tensor), layout);
  };
  expect(of("loom-convolution", "conv", "filter")).toBeUndefined();
  expect(of("loom-convolution", "conv", "response")).toBeUndefined();
  expect(of("loom-split-k", "partial", "x")).toBeUndefined();
  expect(of("two-matmuls", "h", "x")).toBeUndefined();
});

const box = (...ends: readonly (readonly [number, number])[]): Box =>
  ends.map(([start, stop]) => ({ start, stop }));

test.each`
  own                             | windows                        | says
  ${[box([0, 5]), box([5, 10])]}  | ${[box([0, 6]), box([4, 10])]} | ${"6, its own part plus 1 row of d0"}
  ${[box([0, 5]), box([5, 10])]}  | ${[box([0, 5]), box([3, 10])]} | ${"at most 7, its own part plus up to 2 rows of d0"}
  ${[box([0, 5]), box([5, 10])]}  | ${[box([0, 4]), box([2, 6])]}  | ${"4, including up to 3 rows of d0 that others hold"}
  ${[box([0, 10]), box([0, 10])]} | ${[box([0, 6]), box([4, 10])]} | ${"6, all of it in its own part"}
  ${[box([0, 10]), undefined]}    | ${[box([0, 6]), box([4, 10])]} | ${"6, more than its own part"}
`("parts $own and windows $windows are said as $says", ({ own, windows, says }) => {
  const devices = [0, 1].map((device) => {
    const [part, window] = [
      [own[device] ?? []].filter((each) => each.length > 0),
      [windows[device]],
    ];
    return { device, own: part, windows: window, halos: boxesWithout(window, part) };
  });
  expect(haloSentence({ reader: "conv", devices }, ["d0"])).toBe(
    `For conv each device reads ${says}.`,
  );
});
