import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { flatSteps } from "#core/program";
import { layoutGraph } from "../graph/layout-graph.ts";
import { liveTensors } from "./live-tensors.ts";
import { operatorFrameOf } from "./operator-frame.ts";
import { operatorScene } from "./operator-scene.ts";
import { playedIndex, playedPlace, playedSteps } from "./played-steps.ts";

const compiledOf = (name: string) =>
  compile(examples.find((example) => example.name === name)?.program ?? "");

test("two matmuls are three steps, in order", () => {
  const { program } = compiledOf("two-matmuls");
  expect(playedSteps(program).map(({ kind, title }) => `${kind} ${title}`)).toEqual([
    "operator h = project(x, w1)",
    "collective all-gather mp of h",
    "operator y = project(h, w2)",
  ]);
});

test("24 equal layers are gone through once, with their count, and every step has its stop", () => {
  const { program } = compiledOf("transformer-stack");
  const stops = playedSteps(program);
  const flat = flatSteps(program);
  expect(stops.length).toBeLessThan(flat.length / 10);
  expect(Math.max(...stops.map(({ count }) => count))).toBe(24);
  for (const [at, stop] of stops.entries()) {
    for (let run = 0; run < stop.count; run += 1) {
      const place = playedIndex(stop, run);
      expect(playedPlace(stops, place)).toEqual({ at, run });
      expect(flat[place]?.kind === "local" ? "operator" : "collective").toBe(stop.kind);
    }
  }
});

test("a layout brings the equal steps by which they are gone through, written in places", () => {
  const compiled = compiledOf("transformer-stack");
  const { stepRuns } = layoutGraph(compiled);
  const flat = flatSteps(compiled.program);
  const kinds = (at: number, period: number) =>
    flat
      .slice(at, at + period)
      .map((step) => (step.kind === "local" ? step.kind : step.collective));
  expect(stepRuns.map(({ count }) => count)).toContain(24);
  for (const { start, period, count } of stepRuns) {
    for (let run = 1; run < count; run += 1) {
      expect(kinds(start + run * period, period)).toEqual(kinds(start, period));
    }
  }
  expect(playedSteps(compiled.program, [])).toHaveLength(
    flat.filter((step) => step.kind === "local" || step.moves.length > 0).length,
  );
});

test("an operator's picture has each device's blocks of what it reads and makes, side by side", () => {
  const frame = operatorFrameOf(compiledOf("two-matmuls"), 0);
  expect(frame?.operands.map(({ name, use }) => `${use} ${name}`)).toEqual([
    "reads x",
    "reads w1",
    "makes h",
  ]);
  expect(frame?.caption).toBe(
    "Each device makes its own part of h, cut b over dp and f over mp; nothing travels.",
  );
  if (frame === undefined) throw new Error("the first step is an operator");
  const scene = operatorScene(frame, { width: 390 });
  expect(scene.ways).toHaveLength(4);
  const areas = scene.marks.flatMap((mark) => (mark.kind === "rect" ? [mark] : []));
  for (const { x, y, width, height } of areas) {
    expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(scene.width);
    expect(y + height).toBeLessThanOrEqual(scene.height);
  }
});

test("pictures of all operators of all examples stay inside their room", () => {
  for (const { program: text } of examples) {
    const compiled = compile(text);
    for (const { kind, place } of playedSteps(compiled.program).slice(0, 4)) {
      if (kind === "collective") continue;
      const frame = operatorFrameOf(compiled, place);
      if (frame === undefined) throw new Error("a stop of an operator has its picture");
      const scene = operatorScene(frame, { width: 300 });
      const ends = scene.marks.map((mark) => (mark.kind === "rect" ? mark.x + mark.width : 0));
      expect(Math.max(0, ...ends)).toBeLessThanOrEqual(scene.width);
    }
  }
});

test("what is held at the fullest step adds up to the peak, and says what the step does", () => {
  const compiled = compiledOf("two-matmuls");
  const steps = flatSteps(compiled.program).map((_, place) => liveTensors(compiled, place));
  const totals = steps.map((held) => held.reduce((sum, { bytes }) => sum + bytes, 0));
  expect(Math.max(...totals)).toBe(compiled.memory.peakBytes);
  expect(steps[0]?.map(({ name, use }) => `${name} ${use}`)).toEqual([
    "w1 reads",
    "x reads",
    "h makes",
    "w2 undefined",
  ]);
});
