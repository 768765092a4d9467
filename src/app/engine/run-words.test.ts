import { expect, test } from "vitest";
import { tensorId } from "#core/ir";
import type { WrongCell } from "./index.ts";
import { cpuSentence, faultWords, runSentence, unseenSentence } from "./run-words.ts";

const cell: WrongCell = {
  ...{ tensor: tensorId("h"), name: "h", device: 1, index: [0, 8], got: -3, want: 5 },
};
const equal = { kind: "equal", tensors: { length: 5 }, deviceCount: 4, notes: [] } as const;
const different = (change: Partial<WrongCell> = {}) =>
  ({ ...equal, kind: "different", cell: { ...cell, ...change } }) as const;
const rounded = { code: "execute/not-exact", severity: "info", message: "too large" } as const;
const wrapped = { code: "execute/words", severity: "info", message: "too large" } as const;
const one = { tensors: { length: 1 }, deviceCount: 1 };
const gather = faultWords({ step: 1, how: "drop" }, "all-gather");
const order = faultWords({ step: 1, how: "swap" }, "all-to-all");

test.each([
  [equal, "Equals the unsharded program: 5 tensors, 4 devices, bit for bit."],
  [
    { ...equal, notes: [rounded] },
    "Equals the unsharded program: 5 tensors, 4 devices, within the rounding of floats.",
  ],
  [
    { ...equal, notes: [rounded], rounding: "each result rounded to bf16, as f32 computes it" },
    "Equals the unsharded program: 5 tensors, 4 devices, each result rounded to bf16, as f32 computes it, within the rounding of floats.",
  ],
  [
    { ...equal, notes: [wrapped] },
    "Equals the unsharded program: 5 tensors, 4 devices, bit for bit on words of 32 bits.",
  ],
  [{ ...equal, ...one }, "Equals the unsharded program: 1 tensor, 1 device, bit for bit."],
  [
    { ...equal, fault: gather, unseen: unseenSentence({ why: "all is 0" }, "") },
    "Still equal without this all-gather: 5 tensors, 4 devices. It cannot show: all is 0.",
  ],
  [
    {
      ...{ ...equal, fault: gather },
      unseen: unseenSentence(
        { why: "all is 0", instead: { step: 4, how: "scale" } },
        " in step 5 (all-gather of h)",
      ),
    },
    "Still equal without this all-gather: 5 tensors, 4 devices. It cannot show: all is 0. “Missing scale” in step 5 (all-gather of h) can.",
  ],
  [different(), "Differs: device 1 has −3 at h[0, 8], where the unsharded program has 5."],
  [
    { ...different({ index: [] }), fault: gather },
    "Without this all-gather, device 1 has −3 at h, where the unsharded program has 5.",
  ],
  [
    { ...different({ got: Number.NaN }), fault: order },
    "With the order of this all-to-all swapped, device 1 has nothing at h[0, 8], where the unsharded program has 5.",
  ],
  [
    different({ got: 0.123456789, want: -1e-9 }),
    "Differs: device 1 has 0.123457 at h[0, 8], where the unsharded program has −1e−9.",
  ],
])("%#: a verdict in a sentence", (told, sentence) => {
  expect(runSentence(told)).toBe(sentence);
});

test.each`
  hasVectors | vectorSteps | sentence
  ${true}    | ${2}        | ${"2 steps with vectors in Wasm (SIMD), all else in JavaScript."}
  ${true}    | ${0}        | ${"All in JavaScript: no contraction is large enough for vectors in Wasm (SIMD)."}
  ${false}   | ${0}        | ${"All in JavaScript, because this browser has no vectors in Wasm (SIMD)."}
`("vectors: $hasVectors, of $vectorSteps steps", ({ sentence, ...cpu }) => {
  expect(cpuSentence(cpu)).toBe(sentence);
});
