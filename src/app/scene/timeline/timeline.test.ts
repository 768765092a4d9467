import { describe, expect, test } from "vitest";
import { type Compiled, compile } from "#compile";
import {
  trainedCompiled as compiledOf,
  layeredNet as net,
  trainedNets,
} from "../figures/trained-nets.testing.ts";
import { nextMoment, spanAt, timelineAt } from "./at-moment.ts";
import { type DrawnPiece, drawnPieces } from "./drawn-pieces.ts";
import { type SpanPaint, spanPaints } from "./lane-spans.ts";
import { memoryLine, type Timeline, type TimelineLane, timelineOf } from "./timeline.ts";

const timelineIn = (compiled: Compiled): Timeline => {
  const { timeline } = timelineOf(compiled);
  if (timeline === undefined) throw new Error("no timeline");
  return timeline;
};
const names = Object.keys(trainedNets);

interface Bars {
  readonly start: number;
  readonly end: number;
}

const total = (bars: readonly Bars[]) => bars.reduce((sum, { start, end }) => sum + end - start, 0);

const spansOn = (lane: TimelineLane, where: (paint: SpanPaint) => boolean): readonly Bars[] =>
  [...lane.starts.keys()].flatMap((at) => {
    const isMeant = where(spanPaints[lane.paints[at] ?? 0] ?? "forward");
    return isMeant ? [{ start: lane.starts[at] ?? 0, end: lane.ends[at] ?? 0 }] : [];
  });

const overlaps = (bars: readonly Bars[], rounding: number) =>
  bars.filter(({ start }, at) => start < (bars[at - 1]?.end ?? 0) - rounding);

test.each(names)("%s: the programs are as their names say", (name) => {
  const { diagnostics, schedule, program } = compiledOf(name);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const phases = new Set(program.graph.operators.map(({ phase }) => phase));
  expect(phases.has("recompute")).toBe(name.includes("anew"));
  expect(schedule?.limit).toBe(name.includes("host") ? "host" : "device");
  expect((schedule?.passes[0]?.count ?? 1) > 1).toBe(name === "micro-batches");
});

describe("the lanes of a timeline are its schedule", () => {
  test.each(names)("%s: each lane lasts as long as the schedule says", (name) => {
    const compiled = compiledOf(name);
    const { schedule } = compiled;
    const timeline = timelineIn(compiled);
    const [compute, ...others] = timeline.lanes;
    if (compute === undefined || schedule === undefined) throw new Error("nothing is computed");
    const digits = Math.ceil(-Math.log10(schedule.seconds)) + 9;
    const isExposed = (paint: SpanPaint) => paint === "exposed";
    expect(total(spansOn(compute, (paint) => !isExposed(paint)))).toBeCloseTo(
      schedule.compute,
      digits,
    );
    expect(total(spansOn(compute, isExposed))).toBeCloseTo(schedule.exposed, digits);
    const sent = others.filter(({ lane }) => lane !== "host");
    const sum = sent.reduce((all, lane) => all + total(spansOn(lane, () => true)), 0);
    expect(sum).toBeCloseTo(schedule.communication, digits);
    const host = others.filter(({ lane }) => lane === "host");
    expect(host.length > 0).toBe(schedule.limit === "host");
    for (const lane of host)
      expect(total(spansOn(lane, () => true))).toBeCloseTo(schedule.host, digits);
  });

  test.each(names)("%s: nothing on a lane overlaps, and all of it lies in the step", (name) => {
    const timeline = timelineIn(compiledOf(name));
    const rounding = 1e-9 * timeline.seconds;
    for (const lane of timeline.lanes) {
      const bars = spansOn(lane, () => true);
      expect(overlaps(bars, rounding)).toEqual([]);
      expect(bars.at(-1)?.end ?? 0).toBeLessThanOrEqual(timeline.seconds + rounding);
    }
  });

  test.each(names)("%s: the most that is held is the peak of its memory", (name) => {
    const compiled = compiledOf(name);
    expect(timelineIn(compiled).peak?.[1]).toBe(compiled.memory.peakBytes);
  });
});

const byPaint = (pieces: readonly DrawnPiece[]) => {
  const sums = new Map<SpanPaint, number>();
  for (const { paint, start, end } of pieces) sums.set(paint, (sums.get(paint) ?? 0) + end - start);
  return sums;
};

describe("what is drawn of a lane", () => {
  const cases = names.flatMap((name) => [20, 300, 4000].map((width) => [name, width] as const));
  test.each(cases)("%s on %i pixels: bars of a paint last as long as its spans", (name, width) => {
    const timeline = timelineIn(compiledOf(name));
    const window = { from: 0, to: timeline.seconds, width };
    for (const lane of timeline.lanes) {
      const pieces = drawnPieces(lane, window);
      const sums = byPaint(pieces);
      for (const paint of spanPaints) {
        const spans = total(spansOn(lane, (each) => each === paint));
        expect((sums.get(paint) ?? 0) / timeline.seconds).toBeCloseTo(spans / timeline.seconds, 9);
      }
      expect(overlaps(pieces, 1e-9 * timeline.seconds)).toEqual([]);
      expect(pieces.length).toBeLessThanOrEqual(width);
    }
  });

  test("a window shows what the whole shows there, at the same scale", () => {
    const timeline = timelineIn(compiledOf("a training step that gathers its weights"));
    const { seconds } = timeline;
    for (const lane of timeline.lanes) {
      const whole = drawnPieces(lane, { from: 0, to: seconds, width: 400 });
      const part = drawnPieces(lane, { from: seconds / 4, to: seconds / 2, width: 100 });
      const inside = whole.filter(({ start, end }) => end > seconds / 4 && start < seconds / 2);
      const key = ({ start, end, paint }: DrawnPiece) => `${start} ${end} ${paint}`;
      expect(part.map(key)).toEqual(expect.arrayContaining(inside.map(key)));
    }
  });

  test("layers are merged before they are left out: hatched in proportion", () => {
    const timeline = timelineIn(compiledOf("a training step that gathers its weights"));
    const compute = timeline.lanes[0];
    if (compute === undefined) throw new Error("nothing is computed");
    const pieces = drawnPieces(compute, { from: 0, to: timeline.seconds, width: 60 });
    expect(pieces.some(({ isMerged, paint }) => isMerged && paint === "exposed")).toBe(true);
    const near = drawnPieces(compute, { from: 0, to: timeline.seconds, width: 1e7 });
    expect(near.every(({ isMerged }) => !isMerged)).toBe(true);
  });
});

describe("a moment of the timeline", () => {
  test.each(names)("%s: the middle of every span reads as that span", (name) => {
    const timeline = timelineIn(compiledOf(name));
    for (const lane of timeline.lanes) {
      for (const [at, start] of lane.starts.entries()) {
        const middle = (start + (lane.ends[at] ?? 0)) / 2;
        if (!(middle > start)) continue;
        expect(spanAt(lane, middle)).toBe(at);
        const on = timelineAt(timeline, middle).on.find((each) => each.lane === lane);
        expect(on?.span).toBe(at);
      }
    }
  });

  test("keys go from span to span, and stop at both ends", () => {
    const lane = timelineIn(compiledOf("a forward pass")).lanes[0];
    if (lane === undefined) throw new Error("nothing is computed");
    const [first = 0, second = 0] = lane.starts;
    const last = lane.starts.at(-1) ?? 0;
    expect(nextMoment(lane, first, 1)).toBe(second);
    expect(nextMoment(lane, second, -1)).toBe(first);
    expect(nextMoment(lane, first, -1)).toBe(first);
    expect(nextMoment(lane, last, 1)).toBe(last);
  });
});

test("a line of memory keeps its peak, however few pixels it has", () => {
  const timeline = timelineIn(compiledOf("micro-batches"));
  for (const width of [7, 90, 2000]) {
    const line = memoryLine(timeline, { from: 0, to: timeline.seconds, width });
    expect(Math.max(...line.map(([, bytes]) => bytes))).toBe(timeline.peak?.[1]);
    expect(line.length).toBeLessThanOrEqual(width + 2);
    const xs = line.map(([x]) => x);
    expect([...xs].sort((a, b) => a - b)).toEqual(xs);
  }
});

test("under a cost model, and of unknown shapes, there is no timeline", () => {
  const text = net(1, "");
  expect(timelineOf(compile(text, { model: "plain" })).timeline).toBeUndefined();
  const unknown = compile(`${text}\nz = nobody_knows(y)\nu = z + z\n`);
  expect(timelineOf(unknown).timeline).toBeUndefined();
});
