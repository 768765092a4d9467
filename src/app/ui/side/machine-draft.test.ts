import { expect, test } from "vitest";
import { changedFigures, ownPlatform } from "#core/cost";
import type { DeviceMesh } from "#core/mesh";
import { draftOf, readDraft } from "./machine-draft.ts";

const plain: DeviceMesh = {
  axes: [
    { name: "dp", size: 2 },
    { name: "tp", size: 4 },
  ],
  devices: [0, 1, 2, 3, 4, 5, 6, 7],
};

const own = ownPlatform({ name: "8×H100" });
const mesh = own.link(plain);
const draft = draftOf(own.hardware, mesh);

/** What would be written of a draft, or what is wrong with it. */
function figuresOf(typed: typeof draft) {
  const read = readDraft(typed, own.hardware, mesh);
  return typeof read === "string" ? read : changedFigures(own, read.chip, read.mesh);
}

test("what nobody has touched is the machine's own, to the last digit", () => {
  expect(draft).toMatchObject({ flops: "989", memory: "80", memoryBandwidth: "3.35" });
  expect(figuresOf(draft)).toEqual({ chip: {}, links: {} });
});

test("just what is typed otherwise is written", () => {
  const [dp, tp] = draft.links;
  if (dp === undefined || tp === undefined) throw new Error("no links");
  const typed = {
    ...draft,
    flops: "800",
    memoryBandwidth: "0,3",
    links: [dp, { ...tp, bandwidth: "50", latency: "10", fabric: "ring" as const }],
  };
  expect(figuresOf(typed)).toEqual({
    chip: { flops: 800e12, memoryBandwidth: 300e9 },
    links: { tp: { bandwidth: 50e9, latency: 10e-6, fabric: "ring" } },
  });
});

test.each([
  [{ flops: "" }, "The peak is a number of TFLOP/s above 0"],
  [{ memory: "0" }, "The memory is a number of GB above 0"],
  [{ memoryBandwidth: "much" }, "The memory bandwidth is a number of TB/s above 0"],
])("%j is said to be wrong", (typed, message) => {
  expect(figuresOf({ ...draft, ...typed })).toBe(message);
});

test("a link without a speed is said with its axis", () => {
  const links = draft.links.map((link) => ({ ...link, bandwidth: "" }));
  expect(figuresOf({ ...draft, links })).toBe(
    "A number of GB/s above 0 is missing for the link of dp",
  );
});
