import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { type Compiled, compile } from "#compile";
import { type Box, lengthOf } from "#core/indexspace";
import type { Tensor } from "#core/ir";
import { type Layout, layoutKey, slicesOf } from "#core/mesh";
import { galleryDrawing } from "../gallery.ts";
import { evenlyLaid, laid, layoutOf, runs } from "../graph/layouts.testing.ts";
import type { Rect } from "../mark.ts";
import { frameScene } from "../player/frame-scene.ts";
import { framesOf, ringFramesOf } from "../player/frames.ts";
import { operatorFrameOf } from "../player/operator-frame.ts";
import { redistributed } from "../text/redistribution.testing.ts";
import { deviceGlyphsOf } from "./device-glyph.ts";
import { drawnIn } from "./drawn-dims.ts";
import { glyphOf } from "./glyph.ts";
import { orientationOf, orientationText } from "./orientation.ts";

/** Every size in which the product draws a tensor as a whole, and as tiles. */
const wholes = [
  ...[44, 32, 48, 40, 56, 56, 58, 50, 72, 52, 78, 68, 100, 76, 148, 112, 260, 150, 280, 180],
];
const tiles = [12, 10, 18, 14, 28, 24, 28, 28, 62, 33, 116, 29];
const pairs = (numbers: readonly number[]) =>
  numbers.flatMap((width, at) => (at % 2 === 0 ? [{ width, height: numbers[at + 1] ?? 0 }] : []));

interface Placed {
  readonly box: Box;
  readonly area: Rect;
}

type Direction = "down" | "across";

/**
 * The direction of each dim in a drawing: the offset of the boxes that differ from the first in
 * that dim only.
 */
function directionsOf([first, ...others]: readonly Placed[]): readonly [number, Direction][] {
  if (first === undefined) return [];
  return others.flatMap(({ box, area }): readonly [number, Direction][] => {
    const dims = first.box.flatMap((range, dim) => {
      const other = box[dim];
      return range.start === other?.start && range.stop === other.stop ? [] : [dim];
    });
    const [dim] = dims;
    if (dim === undefined || dims.length > 1) return [];
    const right = Math.abs(first.area.x - area.x);
    const below = Math.abs(first.area.y - area.y);
    return right < 0.01 && below < 0.01 ? [] : [[dim, right > below ? "across" : "down"]];
  });
}

/** The boxes and areas in every drawing of a tensor in one of its layouts. */
function placesIn(compiled: Compiled, tensor: Tensor, layout: Layout): readonly Placed[][] {
  const drawn = drawnIn(compiled, tensor, layout);
  const whole = pairs(wholes).map((size) =>
    glyphOf(drawn, size).cells.flatMap(({ box, areas }) => areas.map((area) => ({ box, area }))),
  );
  const slices = slicesOf(layout, tensor.shape).filter(({ ranges }) =>
    ranges.every((range) => lengthOf(range) > 0),
  );
  const devices = pairs(tiles).map((size) =>
    deviceGlyphsOf(drawn, size).tiles.flatMap(({ device, areas }) =>
      slices
        .filter((slice) => slice.device === device)
        .flatMap(({ ranges }, at) => {
          const area = areas[at];
          return area === undefined ? [] : [{ box: ranges, area }];
        }),
    ),
  );
  return [...whole, ...devices];
}

function expectOneWay(placed: readonly (readonly Placed[])[], name: string): void {
  const found = new Map<number, Direction>();
  for (const [dim, direction] of placed.flatMap(directionsOf)) {
    expect(found.get(dim) ?? direction, `dim ${dim} of ${name}`).toBe(direction);
    found.set(dim, direction);
  }
}

/**
 * Checks all drawings of all tensors of a plan, including those of the step view and the gallery
 * card.
 */
function expectOneOrientation(compiled: Compiled, name: string): void {
  const { program } = compiled;
  const tensorOf = new Map(program.values.map(({ id, tensor }) => [id, tensor]));
  const card = galleryDrawing(compiled).tensors;
  for (const tensor of firstOfEach(compiled)) {
    const values = program.values.filter((value) => value.tensor === tensor.id);
    const layouts = [...new Map(values.map(({ layout }) => [layoutKey(layout), layout])).values()];
    const frames = program.redistributions
      .filter(({ input }) => tensorOf.get(input) === tensor.id)
      .flatMap(({ index }) => [...framesOf(compiled, index), ...ringFramesOf(compiled, index)])
      .flatMap((frame) => {
        const { blocks } = frameScene(frame);
        const held = frame.devices.flatMap(({ before, after }) => [before, after]);
        let at = 0;
        return held.map((side) =>
          side.flatMap(({ box }): readonly Placed[] => {
            const area = blocks[at++]?.area;
            return area === undefined ? [] : [{ box, area }];
          }),
        );
      });
    const own = card.filter((each) => each.name === tensor.name);
    for (const { drawn } of own) {
      expect(drawn.orientation).toBe(drawnIn(compiled, tensor, drawn.layout).orientation);
    }
    const glyphs = layouts.flatMap((layout) => placesIn(compiled, tensor, layout));
    expectOneWay([...glyphs, ...frames], `${tensor.name} of ${name}`);
  }
}

/** The first of each set of tensors that take the same layouts in the same order. */
function firstOfEach({ program }: Compiled): readonly Tensor[] {
  const keys = new Map<string, string>();
  for (const { tensor, layout } of program.values) {
    keys.set(tensor, `${keys.get(tensor) ?? ""} ${layoutKey(layout)}`);
  }
  const first = new Map<string, Tensor>();
  for (const tensor of program.graph.tensors) {
    const key = `${tensor.shape.join("x")} ${keys.get(tensor.id)}`;
    if (!first.has(key)) first.set(key, tensor);
  }
  return [...first.values()];
}

test.each(examples.map((example) => [example.name, example] as const))(
  "every drawing of a tensor has the same dims down and across: %s",
  (name, example) => {
    expectOneOrientation(compile(exampleText(example)), name);
  },
);

test("whatever layout a tensor takes, its dims run the same way", () => {
  const two = fc.tuple(
    fc.oneof(laid, evenlyLaid),
    fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }),
  );
  fc.assert(
    fc.property(two, ([{ layout, shape }, places]) => {
      const dims = shape.map((_, dim) => ({
        parts: layout.mesh.axes.flatMap(({ name, size }, at) =>
          (places[at] ?? 0) === dim ? [{ kind: "axis" as const, axis: name, before: 1, size }] : [],
        ),
        chunks: "flat" as const,
      }));
      const to = { ...layout, dims, partials: [] };
      expectOneOrientation(redistributed(layout, to, shape), "a made-up program");
    }),
    runs(40),
  );
});

test.each([
  // The last two dims are rows and columns; leading dims are facets as long as they fit everywhere.
  ["_,mp", [], "rows d0, columns d1"],
  ["mp", [], "columns d0"],
  ["dp,sp,mp", [], "rows d1, columns d2, facets d0"],
  ["dp,sp,_,mp", [], "rows d2, columns d3, facets d0 and d1"],
  // Too many facets side by side: a dim that is always whole gives up its side.
  ["mp,_,_", [], "rows d0, columns d2"],
  ["mp,_,_,_", ["_,mp,_,_"], "rows d0, columns d1"],
  // A layout that shards less is drawn with the sides of the others.
  ["_,_,_", ["dp,_,_"], "rows d1, columns d2"],
  ["_,_,_", ["mp,_,_"], "rows d0, columns d2"],
])("[%s] beside %j is drawn with %s", (layout, others, words) => {
  const [own, ...rest] = [layout, ...others].map((text) => layoutOf("dp=2,sp=2,mp=4", text));
  if (own === undefined) throw new Error("no layout");
  const orientation = orientationOf(own.dims.length, [own, ...rest]);
  const names = own.dims.map((_, dim) => `d${dim}`);
  expect(orientationText(orientation, own, names)).toBe(words);
});

test("the program's own order of layouts says nothing, and equal orientations are one object", () => {
  const [a, b] = ["mp,_,_,_", "_,mp,_,_"].map((text) => layoutOf("mp=4", text));
  if (a === undefined || b === undefined) throw new Error("no layout");
  expect(orientationOf(4, [a, b])).toBe(orientationOf(4, [b, a, a]));
});

test("what an operator's still draws has the same orientation as the canvas", () => {
  for (const example of examples) {
    const compiled = compile(exampleText(example));
    const tensors = new Map(compiled.program.graph.tensors.map((each) => [each.name, each]));
    for (const place of compiled.program.stages.flatMap(({ steps }) => [...steps.keys()])) {
      for (const { name, drawn } of operatorFrameOf(compiled, place)?.operands ?? []) {
        const tensor = tensors.get(name);
        if (tensor === undefined) continue;
        expect(drawn.orientation).toBe(drawnIn(compiled, tensor, drawn.layout).orientation);
      }
    }
  }
});
