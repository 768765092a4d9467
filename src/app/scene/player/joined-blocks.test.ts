import fc from "fast-check";
import { expect, test } from "vitest";
import type { HeldBlock } from "./frame.ts";
import { joinedBlocks, mostBlocks } from "./joined-blocks.ts";

const words = (box: HeldBlock["box"]) => box.map(({ start, stop }) => `${start}-${stop}`).join();

/** Adjacent blocks with the given lengths. */
function inARow(lengths: readonly number[]): readonly HeldBlock[] {
  let start = 0;
  return lengths.map((length, coordinate) => {
    const box = [
      { start, stop: start + length },
      { start: 0, stop: 7 },
    ];
    start += length;
    return { box, text: words(box), isPartial: false, coordinate };
  });
}

test("few blocks stay as they are; many are joined and cover the same", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 600 }), (lengths) => {
      const blocks = inARow(lengths);
      const joined = joinedBlocks(blocks, words);
      if (blocks.length <= mostBlocks) expect(joined).toEqual(blocks);
      expect(joined.length).toBeLessThanOrEqual(mostBlocks);
      let next = 0;
      for (const { box, text } of joined) {
        expect(box[0]?.start).toBe(next);
        expect(text).toBe(words(box));
        next = box[0]?.stop ?? -1;
      }
      expect(next).toBe(lengths.reduce((sum, length) => sum + length, 0));
    }),
  );
});

test("blocks that do not meet, and partial ones beside others, stay apart", () => {
  const apart = inARow(Array.from({ length: 200 }, () => 2)).filter((_, at) => at % 2 === 0);
  expect(joinedBlocks(apart, words)).toEqual(apart);
  const mixed = inARow(Array.from({ length: 100 }, () => 1)).map((block, at) => ({
    ...block,
    isPartial: at >= 50,
  }));
  const joined = joinedBlocks(mixed, words);
  for (const { box, isPartial } of joined) {
    expect(isPartial).toBe((box[0]?.start ?? 0) >= 50);
  }
});
