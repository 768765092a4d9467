import { expect, test } from "vitest";
import { compile } from "#compile";
import { coverWords, type ProgramReduction } from "./program-reduction.ts";

const { program } = compile("mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)\n");
const none = { products: 0, others: 0 };
const work = {
  ...{ points: 0, elements: 0, blocks: 0, messages: 0, joined: 0 },
  ...{ whole: none, devices: none, steps: 0 },
};
const whole = { operations: 1, bytes: 1, work };
const all = { kinds: 12, run: 12, missing: [] };
const width = { name: "width", from: 2048, to: 256 };
const heads = { name: "heads", from: 16, to: 4 };
const plain = { from: 512, to: 8 };

test.each<{ shrunk: Omit<ProgramReduction, "whole">; covered: typeof all | object; words: string }>(
  [
    {
      shrunk: { layers: { kept: 2, of: 24 }, sizes: [width] },
      covered: all,
      words:
        "at 2 of 24 layers, width 256 of 2,048, cut alike; every one of the 12 kinds of step was run",
    },
    {
      shrunk: { sizes: [width, heads, plain] },
      covered: { kinds: 10, run: 9, missing: [0] },
      words:
        'at width 256 of 2,048, heads 4 of 16, 1 more size reduced, cut alike; 9 of the 10 kinds of step were run (not run: relu "y")',
    },
    {
      shrunk: { sizes: [plain, { from: 64, to: 2 }], microbatches: { kept: 2, of: 16 } },
      covered: { kinds: 1, run: 1, missing: [] },
      words:
        "at 2 of 16 micro-batches, sizes 8 of 512, 2 of 64, cut alike; its one kind of step was run",
    },
  ],
)("$words", ({ shrunk, covered, words }) => {
  expect(coverWords(program, { ...shrunk, whole }, { ...all, ...covered })).toBe(words);
});

test("of what was run as it is nothing is said", () => {
  expect(coverWords(program, undefined, all)).toBeUndefined();
});
