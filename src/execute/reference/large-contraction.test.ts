import fc from "fast-check";
import { expect, test } from "vitest";
import type { Arithmetic } from "./arithmetic.ts";
import { type Contraction, plainCell } from "./contracted-cell.ts";
import { largeContraction } from "./large-contraction.ts";
import type { Axis } from "./multiply-whole.ts";
import { emptyWhole, type WholeTensor } from "./whole-tensor.ts";

const size = (count: number, a: number, b: number, out: number): Axis => ({
  size: count,
  a,
  b,
  out,
});

/** A sum of products as in a linear layer: `batch` products of m × k by n × k numbers. */
function products(
  batch: number,
  [m, n, k]: readonly [number, number, number],
  a: WholeTensor,
  b: WholeTensor,
) {
  const outer = [size(batch, m * k, n * k, m * n), size(m, k, 0, n), size(n, 0, k, 1)];
  const work: Contraction = { a, b, outer, inner: [size(k, 1, 1, 0)] };
  return { work, target: emptyWhole([batch, m, n]) };
}

/** Numbers from a seed: floats or integers, with error bounds if asked. */
function numbers(count: number, seed: number, isWhole: boolean, error: number): WholeTensor {
  let state = seed | 1;
  const draw = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  };
  const values = Float64Array.from({ length: count }, () =>
    isWhole ? Math.round(3 * draw()) : draw(),
  );
  const errors =
    error === 0 ? new Float64Array(0) : values.map((each) => error * Math.abs(each) * draw() ** 2);
  return { shape: [count], values, errors };
}

const shapes = fc.tuple(fc.integer({ min: 4, max: 21 }), fc.integer({ min: 4, max: 21 }));

test("tiles have what the plain loops have: integers and words exactly, floats within the bound", () => {
  const kinds = fc.constantFrom<Arithmetic>("integers", "words", "floats", "singles");
  const property = fc.property(
    fc.nat(),
    shapes,
    kinds,
    fc.boolean(),
    (seed, [m, n], kind, isKnown) => {
      const [k, batch] = [2 ** 12 / 16, 2];
      const isWhole = kind === "integers" || kind === "words";
      const error = isWhole || isKnown ? 0 : 1e-6;
      const a = numbers(batch * m * k, seed, isWhole, error);
      const b = numbers(batch * n * k, seed + 1, isWhole, error);
      const { work, target } = products(batch, [m, n, k], a, b);
      const cell = plainCell(work, kind);
      const peak = largeContraction(work, cell, target, kind);
      const isSmall = m * n * k < 2 ** 15;
      expect(peak === undefined).toBe(isSmall);
      if (isSmall) return;
      let largest = 0;
      for (const at of target.values.keys()) {
        const [each, row, column] = [Math.floor(at / m / n), Math.floor(at / n) % m, at % n];
        const plain = cell((each * m + row) * k, (each * n + column) * k);
        largest = Math.max(largest, plain.magnitude);
        const bound = target.errors[at] ?? 0;
        expect(Math.abs((target.values[at] ?? Number.NaN) - plain.value)).toBeLessThanOrEqual(
          bound,
        );
        // The bound is at least that of the plain loops, and at most 1 % larger.
        expect(bound).toBeGreaterThanOrEqual(plain.error * (1 - 1e-12));
        expect(bound).toBeLessThanOrEqual(plain.error * 1.01);
      }
      if (kind === "integers") expect(peak).toBeGreaterThanOrEqual(largest);
    },
  );
  fc.assert(property, { seed: 1, numRuns: process.env.SOAK ? 600 : 24 });
});

test("what is no number, or beyond all numbers, comes out as by the plain loops", () => {
  const [m, n, k] = [16, 16, 128] as const;
  const [a, b] = [numbers(m * k, 3, false, 1e-6), numbers(n * k, 4, false, 1e-6)];
  a.values[5] = Number.NaN;
  b.values[k + 9] = Number.POSITIVE_INFINITY;
  a.errors[3 * k] = Number.POSITIVE_INFINITY;
  const { work, target } = products(1, [m, n, k], a, b);
  const cell = plainCell(work, "singles");
  largeContraction(work, cell, target, "singles");
  for (const at of target.values.keys()) {
    const plain = { ...cell(Math.floor(at / n) * k, (at % n) * k) };
    expect(Object.is(target.values[at], plain.value) || Number.isFinite(plain.value)).toBe(true);
    expect(Number.isFinite(target.errors[at])).toBe(Number.isFinite(plain.error));
  }
});

test("words wrap around as they are summed, however large their products are", () => {
  const [m, n, k] = [16, 16, 128] as const;
  const whole = (count: number, seed: number): WholeTensor => {
    const { shape, values, errors } = numbers(count, seed, false, 0);
    return { shape, errors, values: values.map((each) => Math.floor(each * 2 ** 31)) };
  };
  const { work, target } = products(1, [m, n, k], whole(m * k, 5), whole(n * k, 6));
  const cell = plainCell(work, "words");
  expect(largeContraction(work, cell, target, "words")).toBeDefined();
  const wanted = [...target.values.keys()].map(
    (at) => cell(Math.floor(at / n) * k, (at % n) * k).value,
  );
  expect([...target.values]).toEqual(wanted);
});

test("integers whose sums are no longer exact are left to the plain loops", () => {
  const [m, n, k] = [16, 16, 128] as const;
  const large = (seed: number): WholeTensor => {
    const { shape, values, errors } = numbers(m * k, seed, true, 0);
    return { shape, errors, values: values.map((each) => each * 2 ** 27) };
  };
  const { work, target } = products(1, [m, n, k], large(7), large(8));
  expect(largeContraction(work, plainCell(work, "integers"), target, "integers")).toBeUndefined();
});
