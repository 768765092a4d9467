import { expect, test } from "vitest";
import { ownHardwarePlatform, ownPlatform, readHardware, withFigures } from "#core/cost/machines";
import type { DeviceMesh } from "#core/mesh";
import { allFields, figureBasis } from "./figure-fields.ts";
import { changeOf, draftOf, readDraft } from "./machine-draft.ts";

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

/** The figures that a draft would write, or its error. */
function figuresOf(typed: typeof draft) {
  const read = readDraft(typed, own.hardware, mesh);
  return typeof read === "string" ? read : changeOf(read, own.hardware);
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

test("a new peak of bf16 is that of f16, and other figures are in their units", () => {
  expect(figuresOf({ ...draft, flops: "800", tf32: "300", launch: "4,5", node: "4" })).toEqual({
    chip: { flops: 800e12, launch: 4.5e-6, node: 4, peaks: { tf32: 300e12 } },
    links: {},
  });
  expect(figuresOf({ ...draft, f16: "700", "matmul reach": "62" })).toEqual({
    chip: { peaks: { f16: 700e12 }, efficiencies: { matmul: 0.62 } },
    links: {},
  });
});

test("figures that nobody says are empty, and may stay so", () => {
  const { hardware, link } = ownPlatform({ name: "16×16 TPU v5e" });
  const typed = draftOf(hardware, link(plain));
  expect(typed).toMatchObject({ f32: "", node: "", multiprocessors: "", "matmul reach": "" });
  const read = readDraft(typed, hardware, link(plain));
  expect(typeof read === "string" ? read : read.chip.peaks).toEqual({ int8: 393e12 });
});

test("each figure says where it is from", () => {
  const basisIn = (hardware: typeof own.hardware) =>
    Object.fromEntries(allFields.map((field) => [field.key, figureBasis(field, hardware).word]));
  const mine = withFigures(own, {
    chip: { flops: 1e15, efficiencies: { memory: 0.8 } },
    links: {},
  });
  expect(basisIn(own.hardware)).toMatchObject({
    ...{ flops: "sheet", f8: "sheet", memory: "sheet", node: "sheet", launch: "measured" },
    "matmul reach": "measured",
  });
  expect(basisIn(mine.hardware)).toMatchObject({
    ...{ flops: "yours", f16: "yours", f8: "sheet", launch: "measured" },
    ...{ "memory reach": "yours", "matmul reach": "scaled" },
  });
  const { own: fromNothing } = readHardware({
    flops: 1e14,
    within: { latency: 0, bandwidth: 1e9 },
  });
  expect(basisIn(ownHardwarePlatform(fromNothing).hardware)).toMatchObject({
    ...{ flops: "yours", launch: "not said", f8: "not said", "matmul reach": "assumed" },
  });
  expect(basisIn(ownPlatform({ name: "TPU v7" }).hardware)).toMatchObject({
    ...{ flops: "sheet", f32: "not said", launch: "assumed", "matmul reach": "assumed" },
  });
});

test.each([
  [{ flops: "" }, "The peak is a number of TFLOP/s above 0"],
  [{ memory: "0" }, "The memory is a number of GB above 0"],
  [{ memoryBandwidth: "much" }, "The memory bandwidth is a number of TB/s above 0"],
  [{ f8: "-1" }, "The f8 is a number of TFLOP/s above 0"],
  [{ launch: "" }, "The host, per kernel is a number of µs, 0 or more"],
  [{ node: "2.5" }, "The devices of a node are a whole number, 1 or more"],
  [{ "memory reach": "120" }, "The memory reaches at most 100 % of its bandwidth"],
])("%j is said to be wrong", (typed, message) => {
  expect(figuresOf({ ...draft, ...typed })).toBe(message);
});

test("a link without a speed is said with its axis", () => {
  const links = draft.links.map((link) => ({ ...link, bandwidth: "" }));
  expect(figuresOf({ ...draft, links })).toBe(
    "A number of GB/s above 0 is missing for the link of dp",
  );
});
