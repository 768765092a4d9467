import { expect, test } from "vitest";
import { kernelRows, measuredRows, memoryError, timeError } from "./index.ts";

const kind = {
  devices: 1,
  trains: true,
  isCompiled: false,
  limit: "device",
  chip: "H100",
} as const;

test.each`
  plan                                            | time                            | memory                | isLike   | isSameChip
  ${kind}                                         | ${"steps"}                      | ${"peak memory"}      | ${true}  | ${true}
  ${{ ...kind, limit: "host" }}                   | ${"steps that the host limits"} | ${"peak memory"}      | ${true}  | ${true}
  ${{ ...kind, isCompiled: true }}                | ${"compiled steps"}             | ${"peak memory"}      | ${true}  | ${true}
  ${{ ...kind, devices: 64, chip: "8×8×H100" }}   | ${"published steps"}            | ${"published memory"} | ${true}  | ${true}
  ${{ ...kind, devices: 8, chip: "A100 40 GB" }}  | ${"published steps"}            | ${"published memory"} | ${true}  | ${true}
  ${{ ...kind, devices: 8, chip: "TPU v4" }}      | ${"published steps"}            | ${"published memory"} | ${true}  | ${false}
  ${{ ...kind, trains: false, chip: "RTX 4090" }} | ${"operators"}                  | ${"peak memory"}      | ${true}  | ${false}
  ${{ ...kind, devices: 8, trains: false }}       | ${"published steps"}            | ${"published memory"} | ${false} | ${true}
`("a plan of $plan is like $time, $memory", ({ plan, time, memory, isLike, isSameChip }) => {
  const stated = timeError(plan);
  expect(stated).toMatchObject({ group: time, isLike, isSameChip });
  expect(stated.count).toBeGreaterThan(0);
  expect(memoryError(plan)).toMatchObject({ group: memory, isLike: plan.trains });
});

test("published steps of a chip are counted apart, where there are some", () => {
  const of = (chip: string) => timeError({ ...kind, devices: 8, chip }).count;
  expect(of("8xA100") + of("8xH100")).toBe(of("8xB200"));
});

test.each`
  entry          | isForward | group                               | words
  ${"linear"}    | ${true}   | ${"operators"}                      | ${"matmul"}
  ${"linear"}    | ${false}  | ${"operators"}                      | ${"matmul"}
  ${"gelu"}      | ${false}  | ${"operators with a backward pass"} | ${"gelu"}
  ${"attention"} | ${true}   | ${"operators"}                      | ${"attention"}
  ${"identity"}  | ${true}   | ${"operators"}                      | ${"copy"}
`("kernels of $entry are measured as $words in $group", ({ entry, isForward, group, words }) => {
  const rows = kernelRows(entry, isForward);
  expect(rows).toEqual({ group, words, isOwn: true });
  const named = measuredRows().filter((row) => row.group === group && row.name.includes(words));
  expect(named.length).toBeGreaterThan(0);
});

test("an operator that nobody measured has the rows of all", () => {
  expect(kernelRows("cumsum", true)).toEqual({ group: "operators", words: "", isOwn: false });
});
