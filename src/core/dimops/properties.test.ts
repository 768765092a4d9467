import fc from "fast-check";
import { expect, test } from "vitest";
import { hasErrors } from "#core/diagnostics";
import { intersect, volumeOf } from "#core/indexspace";
import {
  annotationTexts,
  boundAnnotations,
  brokenTexts,
  placeOfCut,
  runs,
} from "./annotation.testing.ts";
import type { OpAnno } from "./annotation.ts";
import { type Bound, bindAnnotation } from "./bind.ts";
import { checkAnnotation } from "./check-annotation.ts";
import { axesOf, indexAxesOf } from "./index-axes.ts";
import { parseAnnotation, parseFragment } from "./parse.ts";
import { type Partition, partition } from "./partition.ts";
import type { PieceTensor } from "./piece.ts";
import { printAnnotation } from "./print.ts";
import type { Split } from "./split.ts";
import { transformSpace } from "./transform-space.ts";

/** An annotation without its places in a text. */
function withoutSpans(anno: OpAnno): unknown {
  return JSON.parse(JSON.stringify(anno, (key, value) => (key === "span" ? undefined : value)));
}

/** A side of one tensor without dims prints as a side without tensors. */
function hasLonelyScalar({ inputs, outputs }: OpAnno): boolean {
  return [inputs, outputs].some((side) => side.length === 1 && side[0]?.dims.length === 0);
}

test("printing and reading again gives the same annotation", () => {
  let read = 0;
  fc.assert(
    fc.property(annotationTexts, (text) => {
      const parsed = parseAnnotation(text);
      if (!parsed.ok || hasLonelyScalar(parsed.value)) return;
      read++;
      const again = parseAnnotation(printAnnotation(parsed.value));
      expect(again.ok && withoutSpans(again.value)).toEqual(withoutSpans(parsed.value));
    }),
    runs(400),
  );
  expect(read).toBeGreaterThan(100);
});

test("no text makes the reader throw, and every place it names lies in the text", () => {
  fc.assert(
    fc.property(fc.oneof(brokenTexts, fc.string({ unit: "binary" })), (text) => {
      for (const level of ["operator", "shape", "dimension"] as const) {
        const parsed = parseFragment(text, level);
        expect(parsed.ok).toBe(!hasErrors(parsed.diagnostics));
        if (parsed.ok) transformSpace(parsed.value);
        const warned = parsed.ok ? checkAnnotation(parsed.value) : [];
        for (const { span } of [...parsed.diagnostics, ...warned]) {
          if (span === undefined) continue;
          expect(span.from).toBeGreaterThanOrEqual(0);
          expect(span.to).toBeGreaterThanOrEqual(span.from);
          expect(span.to).toBeLessThanOrEqual(text.length);
        }
      }
    }),
    runs(500),
  );
});

test("every identifier stands where it says it stands", () => {
  fc.assert(
    fc.property(annotationTexts, (text) => {
      const parsed = parseAnnotation(text);
      if (!parsed.ok) return;
      const shapes = [...parsed.value.inputs, ...parsed.value.outputs];
      for (const { name, span } of shapes
        .flatMap(({ dims }) => dims)
        .flatMap((dim) => dim.identifiers)) {
        expect([name, `${name}+`, `${name}^`]).toContain(text.slice(span.from, span.to));
      }
    }),
    runs(200),
  );
});

test("no arguments make binding throw, and binding twice says the same", () => {
  const values = fc.oneof(
    fc.array(fc.nat(8), { maxLength: 4 }).map((shape) => ({ kind: "tensor", shape }) as const),
    fc.constantFrom(null, 5, "x", true).map((value) => ({ kind: "plain", value }) as const),
  );
  const kwargs = fc.dictionary(
    fc.constantFrom("a", "b", "c", "k"),
    fc.constantFrom(0, 1, 2, -3, 0.5, true, null, "x"),
  );
  fc.assert(
    fc.property(
      annotationTexts,
      fc.array(values, { maxLength: 3 }),
      kwargs,
      (text, inputs, given) => {
        const parsed = parseAnnotation(text);
        if (!parsed.ok) return;
        const bound = bindAnnotation(parsed.value, inputs, given);
        expect(bound.ok).toBe(!hasErrors(bound.diagnostics));
        expect(bindAnnotation(parsed.value, inputs, given)).toEqual(bound);
      },
    ),
    runs(500),
  );
});

test("the dims of the index space multiply to the shapes of the tensors", () => {
  fc.assert(
    fc.property(boundAnnotations, (bound) => {
      const { axes, inputs, outputs } = axesOf(bound);
      const product = (sizes: readonly number[]) => sizes.reduce((total, size) => total * size, 1);
      const shapes = [...inputs, ...outputs].map((dims) => dims.map(({ sizes }) => product(sizes)));
      const real = [
        ...bound.inputs.map((input) => (input.kind === "tensor" ? input.shape : [])),
        ...bound.outputs.map((shape) => shape ?? []),
      ];
      expect(shapes).toEqual(real);
      expect(new Set(axes.map(({ name }) => name)).size).toBe(axes.length);
    }),
    runs(200),
  );
});

test("the pieces of a cut tile what is cut, share out what is partial, and repeat the rest", () => {
  let cuts = 0;
  fc.assert(
    fc.property(boundAnnotations, fc.constantFrom(1, 2, 3, 4), (bound, count) => {
      for (const [operand, dim] of placesOf(bound)) {
        const parts = partition(bound, { operand, dim, count });
        if (!parts.ok) continue;
        cuts++;
        expect(parts.pieces.length).toBe(count);
        bound.inputs.forEach((_, at) => {
          expectComplete(parts.rule.inputs[at], shareOf(parts, "inputs", at));
        });
        bound.outputs.forEach((_, at) => {
          expectComplete(parts.rule.outputs[at], shareOf(parts, "outputs", at));
        });
      }
    }),
    runs(150),
  );
  expect(cuts).toBeGreaterThan(100);
});

test("what may be cut is cut, and what may not is refused", () => {
  let legal = 0;
  fc.assert(
    fc.property(boundAnnotations, fc.constantFrom(2, 3, 4), (bound, count) => {
      for (const { name, size } of indexAxesOf(bound)) {
        const place = placeOfCut(bound, name);
        if (place === undefined) continue;
        const parts = partition(bound, { ...place, count });
        expect(parts.ok).toBe(size % count === 0);
        if (!parts.ok) continue;
        legal++;
        expect(parts.rule.inputs.length).toBe(bound.inputs.length);
      }
    }),
    runs(150),
  );
  expect(legal).toBeGreaterThan(50);
});

function placesOf(bound: Bound): readonly (readonly [number, number])[] {
  const shapes = [...bound.annotation.inputs, ...bound.annotation.outputs];
  return shapes.flatMap(({ dims }, operand) => dims.map((_, dim) => [operand, dim] as const));
}

function shareOf(parts: Partition, side: "inputs" | "outputs", at: number): readonly PieceTensor[] {
  const pieces = parts.ok ? parts.pieces : [];
  return pieces.flatMap((piece) => {
    const operand = piece[side][at];
    return operand?.kind === "tensor" ? [operand] : [];
  });
}

/**
 * Expects the pieces of one tensor to make up the tensor; nothing for an operand that is no tensor.
 */
function expectComplete(split: Split | undefined, pieces: readonly PieceTensor[]): void {
  const [first, ...others] = pieces;
  if (split === undefined || first === undefined) return;
  const whole = pieces.map(({ value }) => `${value.index}/${value.count}`);
  if (split.kind === "V") {
    expect(whole).toEqual(pieces.map((_, index) => `${index}/${pieces.length}`));
  } else expect(new Set(whole)).toEqual(new Set(["0/1"]));
  if (split.kind !== "D") {
    for (const other of others) expect(other.ranges).toEqual(first.ranges);
    return;
  }
  const hull = first.ranges.map((range, dim) => ({
    ...range,
    stop: pieces.at(-1)?.ranges[dim]?.stop ?? 0,
  }));
  const total = pieces.reduce((sum, piece) => sum + volumeOf(piece.ranges), 0);
  expect(total).toBe(volumeOf(hull) / pieces.length ** (split.dims.length - 1));
  for (const [index, piece] of pieces.entries()) {
    for (const later of pieces.slice(index + 1)) {
      expect(intersect(piece.ranges, later.ranges)).toBeUndefined();
    }
  }
}
