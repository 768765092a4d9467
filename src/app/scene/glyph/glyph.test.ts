import fc from "fast-check";
import { expect, test } from "vitest";
import { boxOf, intersect, lengthOf, volumeOf } from "#core/indexspace";
import { blockCount, replicationOf, slicesOf } from "#core/mesh";
import { type Laid, laid, layoutOf, runs } from "../graph/layouts.testing.ts";
import type { Glyph, Mark, Rect } from "../mark.ts";
import { deviceGlyphsOf } from "./device-glyph.ts";
import { drawnDimsOf } from "./drawn-dims.ts";
import { glyphOf } from "./glyph.ts";
import { orientationOf } from "./orientation.ts";

const size = { width: 420, height: 320 };

function drawn({ layout, shape }: Laid) {
  const orientation = orientationOf(shape.length, [layout]);
  return { layout, shape, dimNames: shape.map((_, dim) => `d${dim}`), orientation };
}

function glyph(mesh: string, layout: string, shape: readonly number[], room = size): Glyph {
  return glyphOf(drawn({ layout: layoutOf(mesh, layout), shape }), room, { showIds: true });
}

function withRole(marks: readonly Mark[], role: Mark["role"]): readonly Mark[] {
  return marks.filter((mark) => mark.role === role);
}

function area({ width, height }: Rect): number {
  return width * height;
}

test("the cells of a glyph tile the tensor, and their areas are true to scale", () => {
  fc.assert(
    fc.property(laid, (tensor) => {
      const { cells, detail } = glyphOf(drawn(tensor), size);
      if (detail === "bars") return;
      const volume = cells.reduce((sum, cell) => sum + volumeOf(cell.box), 0);
      expect(volume).toBe(volumeOf(boxOf(tensor.shape)));
      cells.forEach((cell, at) => {
        for (const other of cells.slice(at + 1)) {
          const isApart = intersect(cell.box, other.box) === undefined;
          expect(isApart && cell.areas.every((a) => other.areas.every((b) => apart(a, b)))).toBe(
            true,
          );
        }
      });
      const scales = cells.map(
        ({ box, areas }) => areas.reduce((sum, a) => sum + area(a), 0) / drawnVolume(tensor, box),
      );
      for (const scale of scales) expect(scale).toBeCloseTo(scales[0] ?? 0, 6);
    }),
    runs(150),
  );
});

test("every cell is owned by as many devices as there are copies and parts of a sum", () => {
  fc.assert(
    fc.property(laid, (tensor) => {
      const { layout } = tensor;
      const parts = [...replicationOf(layout), ...layout.partials.map(({ part }) => part)];
      const owners = blockCount(parts);
      for (const cell of glyphOf(drawn(tensor), size).cells) {
        expect(cell.devices).toHaveLength(owners);
      }
    }),
    runs(150),
  );
});

test("the whole view and the device view show the same cells", () => {
  fc.assert(
    fc.property(laid, (tensor) => {
      const whole = glyphOf(drawn(tensor), size);
      if (whole.detail === "bars") return;
      const { tiles } = deviceGlyphsOf(drawn(tensor), size);
      for (const { device, areas, marks } of tiles) {
        const own = whole.cells.filter((cell) => cell.devices.includes(device));
        expect(areas).toHaveLength(own.length);
        const slices = slicesOf(tensor.layout, tensor.shape).filter(
          (slice) => slice.device === device && slice.ranges.every((range) => lengthOf(range) > 0),
        );
        expect(own.map((cell) => cell.box)).toEqual(slices.map((slice) => slice.ranges));
        const [mine, all] = [own.flatMap((cell) => cell.areas), panels(whole.marks)];
        const ghosts = withRole(marks, "ghost").flatMap((mark) =>
          mark.kind === "rect" ? [mark] : [],
        );
        if (ghosts.length === 0) continue;
        expect(share(areas, ghosts)).toBeCloseTo(share(mine, all), 6);
      }
    }),
    runs(100),
  );
});

test("all marks lie inside the glyph, and the glyph inside its room", () => {
  fc.assert(
    fc.property(
      laid,
      fc.constantFrom({ width: 48, height: 40 }, { width: 56, height: 46 }, size),
      (tensor, room) => {
        const { width, height, marks } = glyphOf(drawn(tensor), room, {
          showIds: true,
          showNames: true,
        });
        expect(width).toBeLessThanOrEqual(room.width + 0.01);
        expect(height).toBeLessThanOrEqual(room.height + 0.01);
        for (const mark of marks) {
          if (mark.kind !== "rect") continue;
          expect(mark.x).toBeGreaterThanOrEqual(-0.01);
          expect(mark.y).toBeGreaterThanOrEqual(-0.01);
          expect(mark.x + mark.width).toBeLessThanOrEqual(width + 0.01);
          expect(mark.y + mark.height).toBeLessThanOrEqual(height + 0.01);
        }
      },
    ),
    runs(200),
  );
});

test("whole dims are not cut, and a cut is 2 px where it is major", () => {
  const cuts = withRole(glyph("dp=2,sp=2,mp=2", "mp,sp*dp", [8, 8]).marks, "cut");
  const looks = cuts.map((cut) => (cut.kind === "line" ? `${cut.hue} ${cut.thickness}` : ""));
  expect(looks).toEqual(["3 1.25", "1 1.25", "2 2", "1 1.25"]);
  expect(withRole(glyph("dp=2", "_,_", [8, 8]).marks, "cut")).toEqual([]);
});

test("of two axes one fills the blocks, the other has a strip along the edge of each of its own", () => {
  const { marks, cells } = glyph("sp=2,mp=2", "mp,sp", [8, 8]);
  const tints = withRole(marks, "tint").flatMap((mark) => (mark.kind === "rect" ? [mark] : []));
  expect(tints.map(({ hue, isStrip = false }) => [hue, isStrip])).toEqual([
    [1, false],
    [1, false],
    [2, true],
    [2, true],
  ]);
  for (const { width, height } of cells.flatMap(({ areas }) => areas)) {
    const [stripe, , strip] = tints;
    expect([stripe?.width, strip?.width]).toEqual([width, 2 * width]);
    expect([stripe?.height, (strip?.height ?? 0) < height / 2]).toEqual([2 * height, true]);
  }
});

test("cells without room for strips show one axis alone", () => {
  const tints = withRole(
    glyph("sp=8,mp=16", "mp,sp", [16, 16], { width: 66, height: 60 }).marks,
    "tint",
  );
  expect(new Set(tints.map((mark) => mark.hue))).toEqual(new Set([1, 2]));
  const alone = withRole(
    glyph("sp=16,mp=8", "mp,sp", [16, 16], { width: 96, height: 31 }).marks,
    "tint",
  );
  expect(new Set(alone.map((mark) => mark.hue))).toEqual(new Set([1]));
});

test("tints step from 16 to 50 percent with the coordinate", () => {
  const tints = withRole(glyph("ep=4", "ep,_", [8, 8]).marks, "tint");
  expect(tints.map((mark) => mark.tint)).toEqual([16, 27, 39, 50]);
});

test("copies have a hatch and a card edge, partials dots, a broken outline and a second layer", () => {
  const copies = glyph("dp=2", "_,_", [8, 8]).marks;
  expect([withRole(copies, "hatch"), withRole(copies, "cardEdge")].map((m) => m.length)).toEqual([
    1, 1,
  ]);
  const partial = glyph("sp=2,mp=2", "sp,_|mp", [8, 8]).marks;
  expect(withRole(partial, "hatch")).toEqual([]);
  expect(withRole(partial, "outline")).toEqual([]);
  expect(
    ["dots", "broken", "brokenEdge"].map((role) => partial.filter((m) => m.role === role).length),
  ).toEqual([1, 1, 1]);
});

test("padding of uneven blocks is a ghost, as wide as what is missing", () => {
  const { marks, cells } = glyph("tp=4", "_,tp", [8, 10]);
  const [ghost] = withRole(marks, "ghost");
  const last = cells.at(-1)?.areas[0];
  expect(ghost?.kind === "rect" && last !== undefined ? ghost.width / last.width : 0).toBeCloseTo(
    2,
    6,
  );
});

test("leading split dims are facets: one in a row, two in a grid", () => {
  const dims = (layout: string, shape: readonly number[]) => {
    const { outerRows, outerColumns, rows, columns } = drawnDimsOf(
      drawn({ layout: layoutOf("a=2,b=2,c=2", layout), shape }),
    );
    return [outerRows, outerColumns, rows, columns].map((side) => side.dim);
  };
  expect(dims("a,b,c", [4, 4, 4])).toEqual([undefined, 0, 1, 2]);
  expect(dims("a,b,c,_", [4, 4, 4, 4])).toEqual([0, 1, 2, 3]);
  expect(dims("_,_,c,_", [4, 4, 4, 4])).toEqual([undefined, undefined, 2, 3]);
  expect(dims("a,b,c,_,_", [4, 4, 4, 4, 4])).toEqual([0, 1, 2, 4]);
});

test("what does not fit becomes axis bars with one part", () => {
  const { detail, cells, marks } = glyph("dp=64,mp=64", "dp,mp", [4096, 4096], {
    width: 136,
    height: 86,
  });
  expect([detail, cells.length]).toEqual(["bars", 0]);
  expect(marks.flatMap((mark) => (mark.kind === "text" ? [mark.text] : []))).toEqual(["1 of 4096"]);
});

test("interleaved pieces put a device into several cells", () => {
  const parts = [
    { kind: "axis", axis: "dp", before: 1, size: 2 },
    { kind: "pieces", count: 2 },
  ] as const;
  const layout = {
    ...layoutOf("dp=2", "_"),
    dims: [{ parts: [parts[1], parts[0]], chunks: "flat" as const }],
  };
  const { cells } = glyphOf(drawn({ layout, shape: [8] }), size);
  expect(cells.map((cell) => cell.devices)).toEqual([[0], [1], [0], [1]]);
});

test("a number is a dot that every device holds", () => {
  const { cells, marks } = glyph("dp=2", "()", []);
  expect(cells.map((cell) => cell.devices)).toEqual([[0, 1]]);
  expect(withRole(marks, "dot")).toHaveLength(1);
});

/** Volume along the drawn dims; the other dims are whole in every cell. */
function drawnVolume(
  tensor: Laid,
  box: readonly { readonly start: number; readonly stop: number }[],
): number {
  const { rows, columns } = drawnDimsOf(drawn(tensor));
  return [rows.dim, columns.dim].reduce((product: number, dim) => {
    const range = dim === undefined ? undefined : box[dim];
    return range === undefined ? product : product * lengthOf(range);
  }, 1);
}

function apart(a: Rect, b: Rect): boolean {
  const gap = 1e-6;
  return (
    a.x + a.width <= b.x + gap ||
    b.x + b.width <= a.x + gap ||
    a.y + a.height <= b.y + gap ||
    b.y + b.height <= a.y + gap
  );
}

/** The facets of a whole view: outlined, or all padding. */
function panels(marks: readonly Mark[]): readonly Rect[] {
  const backs = withRole(marks, "outline").concat(withRole(marks, "broken"));
  const bounds = backs.flatMap((mark) => (mark.kind === "rect" ? [mark] : []));
  const [first] = bounds;
  const ghosts = withRole(marks, "ghost").flatMap((mark) => (mark.kind === "rect" ? [mark] : []));
  const empty = ghosts.filter((ghost) => first !== undefined && area(ghost) > area(first) - 1e-6);
  return [...bounds, ...empty];
}

function share(parts: readonly Rect[], all: readonly Rect[]): number {
  const sum = (rects: readonly Rect[]) => rects.reduce((total, rect) => total + area(rect), 0);
  return sum(parts) / sum(all);
}
