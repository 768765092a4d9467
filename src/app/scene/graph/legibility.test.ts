import { expect, test } from "vitest";
import { tintOf } from "../glyph/cell-marks.ts";
import { glyphOf } from "../glyph/glyph.ts";
import { orientationOf } from "../glyph/orientation.ts";
import { fineLook, textureStep, textureSteps, tileLook } from "../glyph/texture.ts";
import type { Hue } from "../hue.ts";
import type { Glyph, Mark } from "../mark.ts";
import { tileOf } from "../mark-pattern.ts";
import { colourOf, mixColours, svgColours } from "../svg/svg-colours.ts";
import { layoutOf } from "./layouts.testing.ts";

const hues: readonly Hue[] = [1, 2, 3, 4, 5, 6, 7, 8];
const card = { width: 58, height: 50 };
const inspector = { width: 148, height: 112 };

function glyph(mesh: string, text: string, size = card): Glyph {
  const layout = layoutOf(mesh, text);
  const rank = layout.dims.length;
  const shape = layout.dims.map(() => 64);
  const dimNames = shape.map((_, dim) => `d${dim}`);
  return glyphOf({ layout, shape, dimNames, orientation: orientationOf(rank, [layout]) }, size);
}

/** The marks that fill blocks, without the strips of other axes. */
function stripes(marks: readonly Mark[], role: Mark["role"]): readonly Mark[] {
  return marks.filter((mark) => mark.role === role && mark.isStrip !== true);
}

test("up to 64 ways no coordinate has the texture of its neighbour, nor the last that of the first", () => {
  for (let size = 2; size <= 64; size++) {
    const steps = Array.from({ length: size }, (_, digit) => textureStep(digit, size));
    for (const [at, step] of steps.entries()) expect(step).not.toBe(steps[(at + 1) % size]);
  }
});

test("the textures of neighbours differ in more than weight, wide and narrow", () => {
  for (const width of [2, 3, 5, 8, 11.9]) {
    for (const [one, other] of neighbours()) {
      const [a, b] = [fineLook(one, width), fineLook(other, width)];
      const isBroken = (a.dash === undefined) !== (b.dash === undefined);
      expect(isBroken || `${a.dash}` !== `${b.dash}`).toBe(true);
      expect(Math.max(a.thickness, b.thickness)).toBeLessThan(width);
    }
  }
  for (const hue of hues) {
    for (const [one, other] of neighbours()) {
      const [a, b] = [tileLook(hue, one).scale, tileLook(hue, other).scale];
      expect(Math.max(a, b) / Math.min(a, b)).toBeGreaterThanOrEqual(1.5);
    }
  }
});

/** Adjacent colour steps of one axis; between the last and the first step there is a major cut. */
function neighbours() {
  const all = [2, 3, 4, 5, 9, 64].flatMap((size) =>
    Array.from({ length: size - 1 }, (_, digit) => {
      return [textureStep(digit, size), textureStep(digit + 1, size)] as const;
    }),
  );
  return [...new Map(all.map((pair) => [pair.join(), pair])).values()];
}

test("no small shape of a texture is a dot: rings keep a hole, lozenges too", () => {
  for (const step of textureSteps) {
    const ring = tileLook(6, step);
    expect(1.6 * ring.scale - ring.weight / 2).toBeGreaterThan(0.6);
    expect(tileOf({ pattern: "texture", hue: 6, step }).path).toContain("1.6 1.6");
    const lozenge = tileLook(8, step);
    expect((2.2 / Math.SQRT2) * lozenge.scale - lozenge.weight / 2).toBeGreaterThan(0.6);
  }
});

test.each(["light", "dark"] as const)("every texture shows on every tint: %s", (theme) => {
  const colours = svgColours[theme];
  for (const hue of hues) {
    for (let digit = 0; digit < 64; digit++) {
      const tint = tintOf({ digit, size: 64 }) + colours.tintMore;
      const ground = mixColours(colours.axes[hue], colours.surface, tint);
      expect(
        contrast(colourOf({ kind: "textureInk", hue }, colours), ground),
        `axis ${hue}, ${digit}`,
      ).toBeGreaterThan(2);
    }
  }
});

test.each([2, 3, 4, 5, 8, 16])(
  "on a card %i ways are as many stripes, each with a texture",
  (ways) => {
    for (const text of ["mp,_", "_,mp"]) {
      const { marks, cells, detail } = glyph(`mp=${ways}`, text);
      expect([detail, cells.length]).toEqual(["cells", ways]);
      const tints = stripes(marks, "tint").flatMap((mark) => (mark.kind === "rect" ? [mark] : []));
      expect(tints).toHaveLength(ways);
      for (const { width, height } of tints) {
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(2);
      }
      const steps = stripes(marks, "texture").map(({ step }) => step);
      expect(steps).toEqual(tints.map((_, digit) => textureStep(digit, ways)));
    }
  },
);

test.each([
  [card, "mp,_"],
  [card, "_,mp"],
  [inspector, "mp,_"],
  [inspector, "_,mp"],
])("64 ways in %j are stripes of at least 2 px in order, and the number is said", (size, text) => {
  const { marks, cells, detail } = glyph("mp=64", text, size);
  expect([detail, cells.length]).toEqual(["cells", 64]);
  const tints = stripes(marks, "tint").flatMap((mark) => (mark.kind === "rect" ? [mark] : []));
  expect(64 % tints.length).toBe(0);
  expect(tints.length).toBeGreaterThanOrEqual(16);
  for (const { width, height } of tints) expect(Math.min(width, height)).toBeGreaterThanOrEqual(2);
  const shades = tints.map(({ tint = 0 }) => tint);
  expect(shades).toEqual([...shades].sort((a, b) => a - b));
  expect(new Set(shades).size).toBe(8);
  expect(marks.flatMap((mark) => (mark.kind === "text" ? [mark.text] : []))).toEqual(["64"]);
});

test.each([
  ["dp=2,mp=2", "dp,mp"],
  ["dp=4,mp=2", "dp,mp"],
  ["dp=8,mp=8", "dp,mp"],
  ["dp=2,mp=8", "_,dp*mp"],
  ["dp=2,sp=4,mp=2", "dp*sp,mp"],
  ["dp=16,mp=4", "dp,mp"],
])(
  "on %s [%s] has only upright areas, and lines of its cuts alone from edge to edge",
  (mesh, text) => {
    for (const size of [card, inspector]) {
      const { marks, cells } = glyph(mesh, text, size);
      expect(marks.filter(({ kind }) => kind === "path")).toEqual([]);
      const edges = { x: new Set<string>(), y: new Set<string>() };
      for (const { x, y } of cells.flatMap(({ areas }) => areas)) {
        edges.x.add(x.toFixed(3));
        edges.y.add(y.toFixed(3));
      }
      for (const mark of marks) {
        if (mark.kind !== "line" || mark.role !== "cut") continue;
        const isDown = mark.from.x === mark.to.x;
        const at = (isDown ? mark.from.x : mark.from.y).toFixed(3);
        expect((isDown ? edges.x : edges.y).has(at)).toBe(true);
      }
    }
  },
);

test("strips leave more than half of a block to what fills it", () => {
  for (const size of [card, inspector]) {
    const { marks, cells } = glyph("dp=8,mp=8", "dp,mp", size);
    const strips = marks.flatMap((mark) =>
      mark.kind === "rect" && mark.role === "tint" && mark.isStrip ? [mark] : [],
    );
    expect(strips).toHaveLength(8);
    const [area] = cells[0]?.areas ?? [];
    for (const { height } of strips) expect(height).toBeLessThan((area?.height ?? 0) / 2);
  }
});

test("a glyph of 8 × 8 blocks is made of few marks", () => {
  const { marks } = glyph("dp=8,mp=8", "dp,mp");
  expect(marks.length).toBeLessThan(100);
});

function contrast(a: string, b: string): number {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}
