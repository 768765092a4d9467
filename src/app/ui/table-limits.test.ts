import fc from "fast-check";
import { expect, test } from "vitest";
import { devicesOfTable, mayAllStand, mostDrawnRows, mostHiddenRows } from "./table-limits.ts";

const ranks = fc.integer({ min: 0, max: 24 });

test("tables that all stand have at most 5,000 rows and 12,000 elements", () => {
  expect(mayAllStand([2, 2, 2], 8)).toBe(true);
  expect(mayAllStand([2, 2, 2], 4_096)).toBe(false);
  fc.assert(
    fc.property(fc.array(ranks), fc.integer({ min: 1, max: 65_536 }), (tensors, devices) => {
      if (!mayAllStand(tensors, devices)) return;
      expect(tensors.length * devices).toBeLessThanOrEqual(5_000);
      const elements = tensors.reduce((sum, rank) => sum + devices * (rank + 4), 0);
      expect(elements).toBeLessThanOrEqual(12_000);
    }),
  );
});

test("one table alone has room for rows at every rank, hidden and drawn", () => {
  fc.assert(
    fc.property(ranks, (rank) => {
      for (const [rows, elements] of [
        [mostHiddenRows(rank), 12_000],
        [mostDrawnRows(rank), 2_000],
      ] as const) {
        expect(rows).toBeGreaterThan(60);
        expect(rows * (rank + 4)).toBeLessThanOrEqual(elements);
      }
    }),
  );
});

test("a table shows a page of the devices, by id, and the one that is looked at is on it", () => {
  const mesh = (devices: readonly number[]) => ({ axes: [], devices });
  expect(devicesOfTable(mesh([3, 1, 2, 0]), 9, undefined)).toEqual([0, 1, 2, 3]);
  expect(devicesOfTable(mesh([3, 1, 2, 0]), 2, undefined)).toEqual([0, 1]);
  expect(devicesOfTable(mesh([3, 1, 2, 0]), 2, 3)).toEqual([2, 3]);
  expect(devicesOfTable(mesh([3, 1, 2, 0]), 3, 3)).toEqual([3]);
  expect(devicesOfTable(mesh([3, 1, 2, 0]), 2, 77)).toEqual([0, 1]);
  const many = Array.from({ length: 65_536 }, (_, id) => id);
  const page = devicesOfTable(mesh(many), 2_000, 65_535);
  expect(page.at(-1)).toBe(65_535);
  expect(page[0]).toBe(64_000);
});
