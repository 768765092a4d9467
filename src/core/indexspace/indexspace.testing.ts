import fc from "fast-check";
import { sum } from "#core/arithmetic";
import { cutBox } from "./pieces.ts";
import { type AffineRow, type Projection, projectBox } from "./projection.ts";
import type { Box } from "./range.ts";

/** How often a property is tried; more in a soak. */
export function runs(count: number): { seed: number; numRuns: number } {
  const factor = process.env.SOAK === undefined ? 1 : 20;
  return { seed: 1, numRuns: count * factor };
}

/** A small projection with an index box that it fits and per axis lengths of a partition. */
export interface Sample {
  readonly projection: Projection;
  readonly index: Box;
  readonly lengths: readonly (readonly number[])[];
}

const coefficient = fc.constantFrom(0, 0, 0, 1, 1, 1, 2, 3, 4, 6, -1, -2, -3);

function rowOf(rank: number): fc.Arbitrary<AffineRow> {
  return fc.record({
    coefficients: fc.array(coefficient, { minLength: rank, maxLength: rank }),
    offset: fc.integer({ min: -5, max: 5 }),
    extent: fc.constantFrom(1, 1, 1, 2, 3, 4),
  });
}

// Rows of most operands: each axis moves one dim of its own.
function unitRows(rank: number): fc.Arbitrary<Projection> {
  return fc
    .array(fc.constantFrom(1, 1, 1, -1, 2), { minLength: rank, maxLength: rank })
    .map((steps) =>
      steps.map(
        (step, axis): AffineRow => ({
          coefficients: steps.map((_, other) => (other === axis ? step : 0)),
          offset: axis,
          extent: Math.abs(step),
        }),
      ),
    );
}

const lengthList = fc.oneof(
  fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
  fc.integer({ min: 1, max: 4 }).map((length) => [length]),
);

/** Projections of index boxes of rank 0 to 3 with partitions, negative starts and empty axes too. */
export const samples: fc.Arbitrary<Sample> = fc.nat(3).chain((rank) =>
  fc
    .record({
      projection: fc.oneof(fc.array(rowOf(rank), { maxLength: 3 }), unitRows(rank)),
      lengths: fc.array(lengthList, { minLength: rank, maxLength: rank }),
      starts: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: rank, maxLength: rank }),
    })
    .map(({ projection, lengths, starts }) => {
      const index = lengths.map((list, axis) => {
        const start = starts[axis] ?? 0;
        return { start, stop: start + sum(list) };
      });
      return { projection, index, lengths };
    }),
);

/** The pieces of an index under a grid partition, with the cells of a tensor that each of them touches. */
export function tile(
  projection: Projection,
  index: Box,
  lengths: readonly (readonly number[])[],
): { pieces: readonly Box[]; tiles: readonly Box[] } {
  const pieces = cutBox(index, lengths);
  return { pieces, tiles: pieces.map((piece) => projectBox(projection, piece)) };
}

/** All points of a box, the last axis fastest. */
export function pointsOf(box: Box): readonly (readonly number[])[] {
  return box.reduce<readonly (readonly number[])[]>(
    (points, { start, stop }) => {
      const values = Array.from({ length: Math.max(0, stop - start) }, (_, at) => start + at);
      return points.flatMap((point) => values.map((value) => [...point, value]));
    },
    [[]],
  );
}

/** The cells of some boxes as texts. */
export function cellsOf(...boxes: readonly Box[]): readonly string[] {
  return boxes.flatMap((box) => pointsOf(box).map((point) => point.join(",")));
}

/** A box from texts such as `0:4 2:6`; the empty text is rank 0. */
export function box(text: string): Box {
  return text
    .split(" ")
    .filter((word) => word !== "")
    .map((word) => {
      const [start = 0, stop = 0] = word.split(":").map(Number);
      return { start, stop };
    });
}

/** The text of a box, as `0:4 2:6`. */
export function show(shown: Box): string {
  return shown.map(({ start, stop }) => `${start}:${stop}`).join(" ");
}

/** A projection from `coefficients; offset; extent` rows, `1 0 + 3 x 2` meaning i₀ + 3, 2 cells. */
export function rows(...texts: readonly string[]): Projection {
  return texts.map((text) => {
    const [sum = "", extent = "1"] = text.split("x");
    const [factors = "", offset = "0"] = sum.split("+");
    const coefficients = factors
      .split(" ")
      .filter((word) => word !== "")
      .map(Number);
    return { coefficients, offset: Number(offset), extent: Number(extent) };
  });
}
