import { expect, test } from "vitest";
import { isSlow, type Timing } from "./browser/timing.ts";
import { calibrate, startPace } from "./calibration.ts";

/** A machine on which successive calibrations take the given times. */
function machine(...times: readonly number[]) {
  let at = 0;
  return () => times[Math.min(at++, times.length - 1)] ?? 0;
}

test("the pace is the middle of the calibrations before and after, by the reference machine", async () => {
  let time = 0;
  const pace = await startPace(machine(90, 20, 40, 60), 10, () => time);
  expect(await pace.since()).toBe(3);
  // Timings reported together were taken together.
  expect(await pace.since()).toBe(3);
  time += 1_000;
  expect(await pace.since()).toBe(5);
});

test("a calibration can be sent to a page: it needs nothing from around it", () => {
  const sent = new Function(`return ${calibrate};`)() as typeof calibrate;
  expect(sent(1)).toBeGreaterThan(0);
});

test.each([0.5, 1.9, 2.1, 7])(
  "of %s times the aim the verdict is the same on a machine that is 2.3 times slower",
  (times) => {
    const on = (factor: number): Timing => ({
      ...{ name: "edit", unit: "ms", aim: 100 },
      figures: [80, 100, 130].map((figure) => figure * times * factor),
    });
    expect(isSlow(on(2.3), 2.3)).toBe(isSlow(on(1), 1));
    expect(isSlow(on(1), 1)).toBe(times > 2);
  },
);

test("a size is the same on every machine, and a screen shows no more frames on a fast one", () => {
  const size: Timing = { name: "code", unit: "kB", aim: 200, figures: [201] };
  expect([isSlow(size, 1), isSlow(size, 9), isSlow({ ...size, figures: [200] }, 0.1)]).toEqual([
    ...[true, true, false],
  ]);
  const pan: Timing = { name: "pan", unit: "ms", aim: 17, leastAim: 17, figures: [17] };
  expect(isSlow(pan, 0.2)).toBe(false);
});
