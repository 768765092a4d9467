import { expect, test } from "vitest";
import { panRange, revealMoment, timeRangeText, timeTicks, zoomRange } from "./time-window.ts";

const whole = 8;

test.each`
  from | to   | by      | at   | zoomedTo
  ${0} | ${8} | ${2}    | ${4} | ${[2, 6]}
  ${2} | ${6} | ${0.5}  | ${4} | ${[0, 8]}
  ${0} | ${8} | ${2}    | ${0} | ${[0, 4]}
  ${4} | ${8} | ${0.5}  | ${8} | ${[0, 8]}
  ${2} | ${6} | ${0.01} | ${3} | ${[0, 8]}
`("from $from to $to, $by times as wide about $at: $zoomedTo", ({ from, to, by, at, zoomedTo }) => {
  const { from: start, to: end } = zoomRange({ from, to }, by, at, whole);
  expect([start, end]).toEqual(zoomedTo);
});

test("a moment stays where it is, and no stretch leaves the step", () => {
  const before = { from: 1, to: 3 };
  const after = zoomRange(before, 4, 1.5, whole);
  expect((1.5 - after.from) / (after.to - after.from)).toBeCloseTo(0.25, 12);
  expect(zoomRange(before, 1e12, 2, whole).to).toBeGreaterThan(
    zoomRange(before, 1e12, 2, whole).from,
  );
  expect(panRange({ from: 1, to: 3 }, -5, whole)).toEqual({ from: 0, to: 2 });
  expect(panRange({ from: 1, to: 3 }, 50, whole)).toEqual({ from: 6, to: 8 });
  expect(revealMoment(before, 2, whole)).toBe(before);
  expect(revealMoment(before, 5, whole)).toEqual({ from: 4, to: 6 });
});

test.each`
  from      | to        | most | ticks
  ${0}      | ${0.075}  | ${8} | ${"0 ms, 10 ms, 20 ms, 30 ms, 40 ms, 50 ms, 60 ms, 70 ms"}
  ${0.0012} | ${0.0018} | ${4} | ${"1200 µs, 1400 µs, 1600 µs, 1800 µs"}
  ${0}      | ${30}     | ${3} | ${"0 s, 10 s, 20 s, 30 s"}
  ${0}      | ${2e-6}   | ${2} | ${"0 µs, 1 µs, 2 µs"}
`("from $from to $to, $most marks: $ticks", ({ from, to, most, ticks }) => {
  expect(
    timeTicks({ from, to }, most)
      .map(({ text }) => text)
      .join(", "),
  ).toBe(ticks);
});

test("a stretch is said by its ends", () => {
  expect(timeRangeText({ from: 0.0123, to: 0.014 })).toBe("12.3 ms to 14.0 ms");
});
