import { expect, test } from "vitest";
import { propagate } from "#core/plan";
import { lower, type SpmdProgram } from "#core/program";
import { testGraph, testMesh, testRequests } from "../plan/graph.testing.ts";
import { estimate } from "./estimate.ts";
import { assumedHardware, fromSheet } from "./machines/hardware.ts";
import { aliveAt, memoryOf } from "./memory.ts";
import { valueBytes } from "./operator-seconds.ts";

function program(strategies: Parameters<typeof testRequests>[1]): SpmdProgram {
  const mesh = testMesh({ dp: 2, mp: 2 });
  const graph = testGraph({ x: [512, 1024], w1: [1024, 4096], w2: [4096, 1024] }, [
    { result: "h", annotation: "b k+, k+ f -> b f", inputs: ["x", "w1"] },
    { result: "y", annotation: "b k+, k+ f -> b f", inputs: ["h", "w2"] },
  ]);
  return lower(graph, propagate(graph, mesh, testRequests(mesh, strategies)).plan);
}

const gathered = program({ h: { b: "dp", f: "mp" }, y: { b: "dp" } });
const reduced = program({ h: { b: "dp", f: "mp" }, y: { b: "dp", k: "mp" } });

test("bytes and seconds are the sums over the steps", () => {
  for (const each of [gathered, reduced]) {
    const cost = estimate(each, assumedHardware);
    const steps = each.stages.flatMap(({ steps }) => steps);
    const collectives = steps.filter((step) => step.kind === "collective");
    expect(cost.bytes).toBe(collectives.reduce((sum, { bytes }) => sum + bytes, 0));
    expect(cost.seconds).toBeCloseTo(cost.computeSeconds + cost.communicationSeconds, 12);
    expect(cost.operators.map(({ operator }) => operator)).toEqual(["h", "y"]);
  }
});

test("gathering h costs its other half, reducing y its own block", () => {
  expect(estimate(gathered, assumedHardware).bytes).toBe(256 * 2048 * 4);
  expect(estimate(reduced, assumedHardware).bytes).toBe(256 * 1024 * 4);
});

test("of a chip of which only the data sheet is known, a product runs at 0.7 of the peak", () => {
  const operations = 2 * 256 * 1024 * 2048;
  const sheet = fromSheet({ ...assumedHardware, crowding: 1, memoryBandwidth: Infinity });
  const [h] = estimate(reduced, { ...sheet, peaks: { f32: 20e12 } }).operators;
  expect(h?.seconds).toBeCloseTo(operations / (0.7 * 20e12), 15);
  expect(estimate(reduced, sheet).flops).toBe(2 * operations);
});

test("memory peaks where the most values are alive, and counts what is alive", () => {
  const memory = memoryOf(gathered);
  const bytes = valueBytes(gathered);
  const alive = memory.alive.reduce((sum, entry) => sum + entry.bytes, 0);
  expect(memory.peakBytes).toBe(alive);
  expect(memory.parameterBytes + memory.inputBytes + memory.activationBytes).toBe(alive);
  for (const entry of memory.alive) expect(entry.bytes).toBe(bytes.get(entry.value));
  // x, w1 (its half), w2 whole, the gathered h and either its half or y: the gather is the peak.
  expect(memory.peakBytes).toBe(
    4 * (256 * 1024 + 1024 * 2048 + 4096 * 1024 + 256 * 4096 + 256 * 2048),
  );
});

test("step by step, the most that is alive is the peak", () => {
  for (const program of [gathered, reduced]) {
    const steps = program.stages.flatMap((stage) => stage.steps);
    const totals = steps.map((_, step) =>
      aliveAt(program, step).reduce((sum, { bytes }) => sum + bytes, 0),
    );
    expect(Math.max(...totals)).toBe(memoryOf(program).peakBytes);
  }
});

test("splitting w2 lowers the peak", () => {
  expect(memoryOf(reduced).peakBytes).toBeLessThan(memoryOf(gathered).peakBytes);
});

test("a program without operators takes no time and holds its inputs", () => {
  const mesh = testMesh({ dp: 2 });
  const graph = testGraph({ x: [4, 4] }, []);
  const empty = lower(graph, propagate(graph, mesh, testRequests(mesh, {})).plan);
  expect(estimate(empty, assumedHardware).seconds).toBe(0);
  expect(memoryOf(empty).peakBytes).toBe(64);
});
