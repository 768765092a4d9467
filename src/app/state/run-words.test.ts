import { expect, test } from "vitest";
import type { RunVerdict } from "#app/engine";
import { runSentence } from "./run-words.ts";

const cell = { tensor: "h", name: "h", device: 1, index: [0, 8], got: -3, want: 5 };
const equal = { kind: "equal", tensorCount: 5, deviceCount: 4, notes: [] };
const different = (change: object) => ({
  kind: "different",
  cell: { ...cell, ...change },
  notes: [],
});

const rounded = { code: "execute/not-exact", severity: "info", message: "too large" };

test.each`
  verdict                                         | without         | sentence
  ${equal}                                        | ${undefined}    | ${"Equals the unsharded program: 5 tensors, 4 devices, bit for bit."}
  ${{ ...equal, notes: [rounded] }}               | ${undefined}    | ${"Equals the unsharded program: 5 tensors, 4 devices, within the rounding of floats."}
  ${{ ...equal, tensorCount: 1, deviceCount: 1 }} | ${undefined}    | ${"Equals the unsharded program: 1 tensor, 1 device, bit for bit."}
  ${equal}                                        | ${"slice"}      | ${"Still equal without this slice: 5 tensors, 4 devices. On these numbers nothing depends on it."}
  ${different({})}                                | ${undefined}    | ${"Differs: device 1 has −3 at h[0, 8], where the unsharded program has 5."}
  ${different({ index: [] })}                     | ${"all-reduce"} | ${"Without this all-reduce, device 1 has −3 at h, where the unsharded program has 5."}
  ${different({ got: Number.NaN })}               | ${"all-gather"} | ${"Without this all-gather, device 1 has nothing at h[0, 8], where the unsharded program has 5."}
  ${{ kind: "refused", message: "Too large." }}   | ${undefined}    | ${"Too large."}
`("$sentence", ({ verdict, without, sentence }) => {
  const said: RunVerdict = verdict;
  expect(runSentence(said, without)).toBe(sentence);
});
