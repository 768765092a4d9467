import { afterEach, expect, test, vi } from "vitest";
import type { GpuProgram } from "./gpu-program.ts";
import type { GpuLimits } from "./program-builder.ts";
import { tuneProducts } from "./tune-products.ts";

const limits: GpuLimits = {
  ...{ storageBuffers: 8, bindingWords: 2 ** 28, compareFrom: 0, workgroups: 2 ** 16 - 1 },
  ...{ cutFrom: 2 ** 40, workgroupBytes: 2 ** 14, isCpu: false, hasQuads: false },
};

afterEach(() => {
  vi.restoreAllMocks();
});

/** A fake adapter on which a product takes given milliseconds. */
function adapterOf(msOf: (size: number, code: string) => number) {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  const sizes: number[] = [];
  const prepare = async ({ buffers, commands }: GpuProgram) => {
    const size = Math.sqrt(buffers[0]?.words ?? 0);
    sizes.push(size);
    const codes = commands.flatMap((each) => (each.kind === "kernel" ? [each.code] : []));
    const send = async () => {
      for (const code of codes) now += msOf(size, code);
      return { counts: { dispatches: 0, copies: 0, submits: 0, pipelines: 0 } };
    };
    const none = async () => [];
    return { send, read: none, readParts: none, countDiffering: none, release: () => {} };
  };
  return { executor: { limits, prepare }, sizes };
}

test("every size gets the tile that took the least time, and as many workgroups as it had", async () => {
  const { executor } = adapterOf((_, code) => (code.includes("@workgroup_size(64)") ? 1 : 2));
  const choices = await tuneProducts(executor);
  expect(choices.map(({ from }) => from)).toEqual([2 ** 20, 2 ** 27, 2 ** 30, 2 ** 33]);
  for (const { tile } of choices) {
    const [rows, columns] = tile.perThread;
    expect((tile.rows / rows) * (tile.columns / columns)).toBe(64);
  }
});

test("a slow adapter is not asked for products that take it long", async () => {
  const { executor, sizes } = adapterOf((size) => (size / 256) ** 3 * 10);
  const choices = await tuneProducts(executor);
  expect(choices).toHaveLength(2);
  expect(Math.max(...sizes)).toBe(512);
});
