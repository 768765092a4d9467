import fc from "fast-check";
import { expect, test } from "vitest";
import type { KernelClass } from "../cost.ts";
import type { Kernel } from "../kernel.ts";
import { kernelSeconds, kernelTerms } from "../kernel-seconds.ts";
import { withFigures } from "./figures.ts";
import { parseMachine, platformOf } from "./machine.ts";

const product = (size: number): Extract<Kernel, { class: "product" }> => ({
  class: "product",
  arithmetic: "bf16",
  batch: 1,
  rows: size,
  columns: size,
  inner: size,
  isAligned: true,
  bytes: 6 * size ** 2,
});
const stream: Kernel = { class: "traffic", kind: "elementwise", bytes: 4e9 };

function own(name: string, chip: Parameters<typeof withFigures>[1]["chip"]) {
  const machine = parseMachine(name);
  if (!machine.ok) throw new Error(name);
  return withFigures(platformOf(machine.value), { chip, links: {} }).hardware;
}

test.each`
  name         | kernels     | share   | kernel          | work
  ${"H100"}    | ${"matmul"} | ${0.5}  | ${product(2e4)} | ${(2 * 2e4 ** 3) / 989e12}
  ${"A100"}    | ${"matmul"} | ${0.9}  | ${product(2e4)} | ${(2 * 2e4 ** 3) / 312e12}
  ${"TPU v5p"} | ${"matmul"} | ${0.35} | ${product(2e4)} | ${(2 * 2e4 ** 3) / 459e12}
  ${"H100"}    | ${"memory"} | ${0.5}  | ${stream}       | ${4e9 / 3.35e12}
  ${"TPU v5p"} | ${"memory"} | ${0.25} | ${stream}       | ${4e9 / 2.765e12}
`("a large kernel of a $name reaches the share of $kernels that is given", (row) => {
  const { name, kernels, share, kernel, work } = row as {
    readonly name: string;
    readonly kernels: KernelClass;
    readonly share: number;
    readonly kernel: Kernel;
    readonly work: number;
  };
  const seconds = kernelSeconds(kernel, own(name, { efficiencies: { [kernels]: share } }));
  expect(work / seconds / share).toBeGreaterThan(0.95);
  expect(work / seconds / share).toBeLessThan(1.05);
});

const size = fc.oneof(fc.integer({ min: 1, max: 64 }), fc.integer({ min: 65, max: 100_000 }));
const arithmetic = fc.constantFrom("bf16" as const, "tf32" as const, "f32" as const, "f8" as const);
const products: fc.Arbitrary<Kernel> = fc.record({
  class: fc.constant("product" as const),
  arithmetic,
  batch: size,
  rows: size,
  columns: size,
  inner: size,
  isAligned: fc.boolean(),
  bytes: fc.integer({ min: 0, max: 1e11 }),
});
const streams: fc.Arbitrary<Kernel> = fc.record({
  class: fc.constant("traffic" as const),
  kind: fc.constantFrom("elementwise" as const, "softmax" as const, "row sum" as const),
  bytes: fc.integer({ min: 0, max: 1e11 }),
  row: size,
});

test.each(["H100", "A100", "TPU v5p"])(
  "kernels of a %s take what their terms add up to",
  (name) => {
    const hardware = own(name, {});
    const check = (kernel: Kernel) => {
      const terms = kernelTerms(kernel, hardware);
      expect(kernelSeconds(kernel, hardware)).toBe(
        terms.reduce((sum, { value }) => sum + value, 0),
      );
    };
    fc.assert(fc.property(fc.oneof(products, streams), check), { seed: 3, numRuns: 500 });
  },
);

test("waves are of as many tiles as the device has processors", () => {
  const tiles = (count: number): Kernel => ({ ...product(128), rows: 128 * count, inner: 8192 });
  const seconds = (count: number, multiprocessors: number) =>
    kernelSeconds(tiles(count), own("H100", { multiprocessors, memoryBandwidth: 1e15 }));
  expect(seconds(100, 100)).toBeCloseTo(seconds(99, 100), 7);
  expect(seconds(101, 100)).toBeGreaterThan(1.2 * seconds(100, 100));
});
