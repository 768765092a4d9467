import fc from "fast-check";
import { expect, test } from "vitest";
import { boxOf, cutBox, isDense, type Projection, projectBox } from "#core/indexspace";
import { boundAnnotations, placeOfCut, runs } from "./annotation.testing.ts";
import { bindAnnotation } from "./bind.ts";
import { annotatedShape, indexAxesOf } from "./index-axes.ts";
import { parseAnnotation } from "./parse.ts";
import { partition } from "./partition.ts";
import type { PieceOperand } from "./piece.ts";
import { indexBoxOf, projectionsOf } from "./projections.ts";

function bind(text: string, shapes: readonly (readonly number[] | null)[], kwargs = {}) {
  const parsed = parseAnnotation(text);
  const inputs = shapes.map((shape) =>
    shape === null ? ({ kind: "plain", value: 5 } as const) : ({ kind: "tensor", shape } as const),
  );
  const bound = parsed.ok ? bindAnnotation(parsed.value, inputs, kwargs) : undefined;
  if (bound?.ok !== true) throw new Error(`"${text}" does not bind`);
  return bound.value;
}

/** Rows as `coefficients xextent`, dims apart by `/`. */
function show(projection: Projection | undefined): string {
  if (projection === undefined) return "none";
  return projection
    .map(({ coefficients, extent }) => `${coefficients.join(" ")} x${extent}`)
    .join(" / ");
}

test.each`
  annotation                 | shapes              | kwargs      | axes               | projections
  ${"m^ kd+, kd+ n -> m^ n"} | ${[[4, 6], [6, 8]]} | ${{}}       | ${undefined}       | ${["1 0 0 x1 / 0 1 0 x1", "0 1 0 x1 / 0 0 1 x1", "1 0 0 x1 / 0 0 1 x1"]}
  ${"m^ kd+, kd+ n -> m^ n"} | ${[[4, 6], [6, 8]]} | ${{}}       | ${["n"]}           | ${["0 x4 / 0 x6", "0 x6 / 1 x1", "0 x4 / 1 x1"]}
  ${"(h t) k -> h t k"}      | ${[[6, 5]]}         | ${{ t: 3 }} | ${["h", "t", "k"]} | ${["3 1 0 x1 / 0 0 1 x1", "1 0 0 x1 / 0 1 0 x1 / 0 0 1 x1"]}
  ${"(h t) k -> h t k"}      | ${[[6, 5]]}         | ${{ t: 3 }} | ${["h"]}           | ${["3 x3 / 0 x5", "1 x1 / 0 x3 / 0 x5"]}
  ${"(2 h) -> h"}            | ${[[8]]}            | ${{}}       | ${undefined}       | ${["1 x5", "1 x1"]}
  ${"a a -> a"}              | ${[[4, 4]]}         | ${{}}       | ${undefined}       | ${["1 x1 / 1 x1", "1 x1"]}
  ${"4 k+, k+ d -> 8 d"}     | ${[[4, 2], [2, 3]]} | ${{}}       | ${undefined}       | ${["0 0 x4 / 1 0 x1", "1 0 x1 / 0 1 x1", "0 0 x8 / 0 1 x1"]}
  ${"1 b -> b"}              | ${[[1, 3]]}         | ${{}}       | ${undefined}       | ${["0 x1 / 1 x1", "1 x1"]}
  ${"?, a -> a, ?"}          | ${[null, [3]]}      | ${{}}       | ${undefined}       | ${["none", "1 x1", "1 x1", "none"]}
  ${"?, a -> a"}             | ${[[2, 7], [3]]}    | ${{}}       | ${undefined}       | ${["0 x2 / 0 x7", "1 x1", "1 x1"]}
`("[5] $annotation over $axes", ({ annotation, shapes, kwargs, axes, projections }) => {
  expect(projectionsOf(bind(annotation, shapes, kwargs), axes).map(show)).toEqual(projections);
});

test("the whole index is projected onto the whole of every operand, without holes", () => {
  fc.assert(
    fc.property(boundAnnotations, (bound) => {
      const index = indexBoxOf(bound);
      const shapes = [
        ...bound.inputs.map((input) => (input.kind === "tensor" ? input.shape : undefined)),
        ...bound.outputs,
      ];
      projectionsOf(bound).forEach((projection, operand) => {
        const image = projection && projectBox(projection, index);
        expect(image).toEqual(shapes[operand] && boxOf(shapes[operand] ?? []));
        annotatedShape(bound, operand)?.dims.forEach(({ identifiers }, dim) => {
          const row = projection?.[dim];
          const isRepeated = new Set(identifiers.map(({ name }) => name)).size < identifiers.length;
          if (row !== undefined && !isRepeated) expect(isDense(row, index)).toBe(true);
        });
      });
    }),
    runs(200),
  );
});

test("the projections of the blocks of a cut axis are the ranges that partition gives", () => {
  let compared = 0;
  fc.assert(
    fc.property(boundAnnotations, fc.constantFrom(2, 3, 4), (bound, count) => {
      const index = indexBoxOf(bound);
      const projections = projectionsOf(bound);
      indexAxesOf(bound).forEach(({ name, size }, axis) => {
        const place = placeOfCut(bound, name);
        const parts = place && partition(bound, { ...place, count });
        if (!parts?.ok) return;
        const lengths = index.map((range, other) => {
          const whole = [range.stop - range.start];
          return other === axis ? Array.from({ length: count }, () => size / count) : whole;
        });
        const pieces = cutBox(index, lengths);
        parts.pieces.forEach((piece, at) => {
          const held: readonly (PieceOperand | undefined)[] = [...piece.inputs, ...piece.outputs];
          held.forEach((operand, position) => {
            const projection = projections[position];
            if (operand?.kind !== "tensor" || projection === undefined) return;
            expect(projectBox(projection, pieces[at] ?? [])).toEqual(operand.ranges);
            compared++;
          });
        });
      });
    }),
    runs(200),
  );
  expect(compared).toBeGreaterThan(200);
});
