import { expect, test } from "vitest";
import { plotOf } from "./curve-plot.ts";

const size = { width: 366, height: 136 };
const curve = {
  bytes: [10, 40, 100, 20],
  peak: 2,
  passes: [
    { name: "forward", from: 0, to: 1 },
    { name: "backward", from: 2, to: 2 },
    { name: "update", from: 3, to: 3 },
  ],
} as const;

test.each`
  limit  | isShown
  ${80}  | ${true}
  ${400} | ${true}
  ${401} | ${false}
`("a device of $limit bytes is drawn above a peak of 100: $isShown", ({ limit, isShown }) => {
  const plot = plotOf(curve, limit, size);
  expect(plot.limit !== undefined).toBe(isShown);
  expect(plot.y(100)).toBeGreaterThanOrEqual(plot.top);
});

test.each`
  x       | step
  ${0}    | ${0}
  ${60}   | ${0}
  ${140}  | ${1}
  ${1000} | ${3}
`("a pointer $x pixels across reads step $step", ({ x, step }) => {
  expect(plotOf(curve, 100, size).stepAt(x)).toBe(step);
});

test("passes without room have no name", () => {
  const names = (width: number) =>
    plotOf(curve, 100, { ...size, width }).named.map(({ name }) => name);
  expect(names(366)).toEqual(["forward", "backward", "update"]);
  expect(names(200)).toEqual(["forward"]);
});

test("of many steps to a pixel the fullest is drawn", () => {
  const bytes = Array.from({ length: 3_000 }, (_, at) => (at === 1_501 ? 9 : 1));
  const plot = plotOf({ bytes, peak: 1_501, passes: [] }, 1, size);
  expect(plot.line).toContain(`,${Number(plot.y(9).toFixed(3))}`);
  expect(plot.line.length).toBeLessThan(12_000);
});
