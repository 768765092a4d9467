import jsQR from "jsqr";
import { expect, test } from "vitest";
import { codeOf } from "./code.ts";
import { encodeLink } from "./link.ts";

/** The text that a camera would read from a code, with each module drawn as a square of pixels. */
function readBack(text: string): string | undefined {
  const { size, path } = codeOf(text);
  const module = 3;
  const side = size * module;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y, run] of path.matchAll(/M(\d+) (\d+)h(\d+)v1H\d+Z/g)) {
    for (let row = 0; row < module; row += 1) {
      const from = ((Number(y) * module + row) * side + Number(x) * module) * 4;
      for (let at = 0; at < Number(run) * module; at += 1) {
        pixels.fill(0, from + at * 4, from + at * 4 + 3);
      }
    }
  }
  return jsQR(pixels, side, side)?.data;
}

test.each([1, 20, 40, 60])("a link of a text of %i lines is read back from its code", (lines) => {
  const text = Array.from(
    { length: lines },
    (_, at) => `x${at} = Tensor((${at + 8}, ${7919 * at}))`,
  );
  const address = `https://board.example/app/${encodeLink({ text: text.join("\n") })}&m=present`;
  expect(address.length).toBeLessThanOrEqual(2_000);
  expect(readBack(address)).toBe(address);
});
