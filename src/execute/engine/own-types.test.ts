import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeNumbers } from "../weights/decode-numbers.ts";
import { type NarrowType, narrowOf } from "./own-types.ts";

const types = [
  { dtype: "bf16", stored: "BF16", infinite: 0x7f80 },
  { dtype: "f16", stored: "F16", infinite: 0x7c00 },
] as const;

function typeOf(dtype: (typeof types)[number]["dtype"]): NarrowType {
  const type = narrowOf(dtype);
  if (type === undefined) throw new Error(`no rounding to ${dtype}`);
  return type;
}

describe.each(types)("rounding to $dtype", ({ dtype, stored, infinite }) => {
  const { round, unit, smallest, overflow } = typeOf(dtype);
  const patterns = Uint16Array.from({ length: infinite }, (_, bits) => bits);
  /** All finite numbers of a type from 0 up, by their bits. */
  const numbers = decodeNumbers(patterns.buffer, stored);

  test("keeps every number of the type, and its sign", () => {
    expect(numbers.filter((each) => !Object.is(round(each), each))).toEqual(new Float64Array());
    expect(numbers.filter((each) => !Object.is(round(-each), -each))).toEqual(new Float64Array());
    expect(smallest).toBe(numbers[1]);
    expect([round(Number.NaN), round(Infinity), round(-Infinity)]).toEqual([
      Number.NaN,
      Infinity,
      -Infinity,
    ]);
  });

  test("gives the nearest of two neighbours; halfway between them, the one with even bits", () => {
    for (let bits = 0; bits + 1 < infinite; bits += 1) {
      const [below, above] = [numbers[bits] as number, numbers[bits + 1] as number];
      const halfway = (below + above) / 2;
      const gap = (above - below) * 2 ** -20;
      const rounded = [halfway - gap, halfway, halfway + gap].map(round);
      if (rounded[0] !== below || rounded[2] !== above) throw new Error(`between ${below} and`);
      if (rounded[1] !== (bits % 2 === 0 ? below : above)) throw new Error(`${halfway} is odd`);
    }
  });

  test("is infinite from half a step beyond the largest number on", () => {
    const largest = numbers.at(-1) as number;
    const step = largest - (numbers.at(-2) as number);
    expect(overflow).toBe(largest + step / 2);
    expect(round(overflow)).toBe(Infinity);
    expect(round(-overflow)).toBe(-Infinity);
    expect(round(overflow * (1 - 2 ** -40))).toBe(largest);
  });

  test("is off by at most a unit of the number, or half of the smallest", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -overflow, max: overflow }), (value) => {
        fc.pre(Math.abs(value) < overflow);
        const off = Math.abs(round(value) - value);
        expect(off).toBeLessThanOrEqual(Math.max(unit * Math.abs(value), smallest / 2));
      }),
    );
  });
});

test("other types are not rounded to", () => {
  expect((["f32", "f64", "i32", "bool", "f8e4m3"] as const).map(narrowOf)).toEqual(
    Array.from({ length: 5 }),
  );
});
