import fc from "fast-check";
import { expect, test } from "vitest";
import { coverageOf, isExactCover, overlapsOf } from "./coverage.ts";
import { isDense } from "./density.ts";
import { cellsOf, pointsOf, runs, samples, tile } from "./indexspace.testing.ts";
import { mixesSigns, project, projectBox, projectCorners } from "./projection.ts";
import { type Box, containsBox, sameBox, volumeOf } from "./range.ts";
import { splitEffect } from "./split-effect.ts";
import { isCleanTiling } from "./tile.ts";

test("the image of a box is the smallest box around the images of its points", () => {
  fc.assert(
    fc.property(samples, ({ projection, index }) => {
      const blocks = pointsOf(index).map((point) => project(projection, point));
      const hull = projection.map((_, dim) => ({
        start: Math.min(...blocks.map((block) => block[dim]?.start ?? 0)),
        stop: Math.max(...blocks.map((block) => block[dim]?.stop ?? 0)),
      }));
      if (blocks.length > 0) expect(projectBox(projection, index)).toEqual(hull);
      else expect(volumeOf(projectBox(projection, index))).toBe(projection.length === 0 ? 1 : 0);
    }),
    runs(400),
  );
});

test("the two corners give the smallest box exactly when no row mixes signs", () => {
  fc.assert(
    fc.property(samples, ({ projection, index }) => {
      if (volumeOf(index) === 0) return;
      const corners = projectCorners(projection, index);
      projectBox(projection, index).forEach((range, dim) => {
        const row = projection.slice(dim, dim + 1).some((each) => mixesSigns(each, index));
        expect(sameBox([range], corners.slice(dim, dim + 1))).toBe(!row);
      });
    }),
    runs(400),
  );
});

test("a row is dense exactly when its points touch every cell of its hull", () => {
  fc.assert(
    fc.property(samples, ({ projection, index }) => {
      for (const row of projection) {
        const touched = new Set(cellsOf(...pointsOf(index).map((point) => project([row], point))));
        const hull = cellsOf(projectBox([row], index));
        expect(isDense(row, index)).toBe(touched.size === hull.length);
      }
    }),
    runs(300),
  );
});

test("the tiles of a partition cover every cell that the whole touches, and nothing beyond it", () => {
  fc.assert(
    fc.property(samples, ({ projection, index, lengths }) => {
      const whole = projectBox(projection, index);
      const { pieces, tiles } = tile(projection, index, lengths);
      const covered = new Set(cellsOf(...tiles));
      const touched = cellsOf(...pointsOf(index).map((point) => project(projection, point)));
      expect(touched.filter((cell) => !covered.has(cell))).toEqual([]);
      tiles.forEach((each, at) => {
        if (volumeOf(pieces[at] ?? []) > 0) expect(containsBox(whole, each)).toBe(true);
      });
    }),
    runs(300),
  );
});

test("a partition is clean exactly when the tiles of its pieces with points partition the whole", () => {
  let clean = 0;
  fc.assert(
    fc.property(samples, ({ projection, index, lengths }) => {
      if (volumeOf(index) === 0) return;
      const { pieces, tiles } = tile(projection, index, lengths);
      const isClean = isCleanTiling(projection, index, lengths);
      const held = tiles.filter((_, at) => volumeOf(pieces[at] ?? []) > 0);
      expect(isClean).toBe(isExactCover(projectBox(projection, index), held));
      if (isClean && held.length > 1) clean++;
    }),
    runs(1000),
  );
  expect(clean).toBeGreaterThan(100);
});

test("the effect of a split foretells what neighbouring tiles share or leave out", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(samples, ({ projection, index, lengths }) => {
      if (volumeOf(index) === 0) return;
      index.forEach((range, axis) => {
        const effect = splitEffect(projection, index, axis);
        const middle = (range.start + range.stop) >> 1;
        if (middle === range.start || lengths.length === 0) return;
        const cuts = index.map((each, other) =>
          other === axis ? [middle - range.start, range.stop - middle] : [each.stop - each.start],
        );
        const { tiles } = tile(projection, index, cuts);
        seen.add(effect.kind);
        expect(effectOf(tiles, effect)).toEqual(effect);
      });
    }),
    runs(400),
  );
  expect([...seen].sort()).toEqual(["clean", "diagonal", "gap", "halo", "none"]);
});

/** The effect seen on two tiles; if several dims move, the expected kind is taken for granted. */
function effectOf(tiles: readonly Box[], expected: { kind: string }): object {
  const [first = [], second = []] = tiles;
  const dims = [...first.keys()].filter((dim) => first[dim]?.start !== second[dim]?.start);
  const [dim, ...others] = dims;
  if (dim === undefined) return { kind: "none" };
  if (others.length > 0) return { kind: expected.kind, dims };
  const [low, high] = [first[dim], second[dim]].sort((a, b) => (a?.start ?? 0) - (b?.start ?? 0));
  const shared = (low?.stop ?? 0) - (high?.start ?? 0);
  if (shared === 0) return { kind: "clean", dim };
  return { kind: shared > 0 ? "halo" : "gap", dim, cells: Math.abs(shared) };
}

test("coverage finds every shared cell and every missing one", () => {
  const range = fc.tuple(fc.nat(4), fc.nat(3)).map(([start, length]) => ({
    start,
    stop: start + length,
  }));
  const lists = fc.nat(3).chain((rank) =>
    fc.array(fc.array(range, { minLength: rank, maxLength: rank }), {
      minLength: 1,
      maxLength: 6,
    }),
  );
  fc.assert(
    fc.property(lists, ([target = [], ...boxes]) => {
      const { outside, overlaps, gaps } = coverageOf(target, boxes, Number.POSITIVE_INFINITY);
      const wanted = cellsOf(target);
      const held = cellsOf(...boxes);
      const missing = wanted.filter((cell) => !held.includes(cell));
      expect([...cellsOf(...gaps)].sort()).toEqual([...missing].sort());
      const shared = new Set(held.filter((cell, at) => held.indexOf(cell) !== at));
      expect(new Set(cellsOf(...overlaps.map(({ cells }) => cells)))).toEqual(shared);
      expect(overlapsOf(boxes)).toEqual(overlaps);
      boxes.forEach((each, at) => {
        const leaves = cellsOf(each).some((cell) => !wanted.includes(cell));
        expect(outside.includes(at)).toBe(leaves);
      });
    }),
    runs(300),
  );
});
