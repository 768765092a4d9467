import { describe, expect, test } from "vitest";
import { type Compiled, compile } from "#compile";
import { foldedItems, sortedItems } from "./folded-items.ts";
import {
  figureTotal,
  type ModuleFigures,
  type ModuleMetric,
  moduleFigures,
} from "./module-figures.ts";
import { layeredNet, trainedCompiled, trainedNets } from "./trained-nets.testing.ts";
import { waterfallOf } from "./waterfall.ts";

const names = Object.keys(trainedNets);
const metrics: readonly ModuleMetric[] = ["time", "bytes", "memory"];
const wholeOf = ({ cost, memory }: Compiled): Readonly<Record<ModuleMetric, number>> => ({
  time: cost.seconds,
  bytes: cost.bytes,
  memory: memory.peakBytes,
});

/** Figures as text: `blocks ×3(up, gelu, …)`. */
const written = ({ name, count, children }: ModuleFigures): string =>
  `${name}${count > 1 ? ` ×${count}` : ""}${children.length > 0 ? `(${children.map(written).join(", ")})` : ""}`;

const cases = names.flatMap((name) => metrics.map((metric) => [name, metric] as const));

describe("figures by module", () => {
  test.each(cases)("%s: %s of all modules is that of the step", (name, metric) => {
    const compiled = trainedCompiled(name);
    const root = moduleFigures(compiled);
    const whole = wholeOf(compiled)[metric];
    if (whole === 0) expect(figureTotal(root.figures[metric])).toBe(0);
    else expect(figureTotal(root.figures[metric]) / whole).toBeCloseTo(1, 9);
  });

  test.each(cases)("%s: no part has more %s than what it is part of", (name, metric) => {
    const walk = (node: ModuleFigures): void => {
      const own = figureTotal(node.figures[metric]);
      const parts = node.children.reduce(
        (sum, { figures }) => sum + figureTotal(figures[metric]),
        0,
      );
      expect(parts).toBeLessThanOrEqual(own * (1 + 1e-9));
      node.children.forEach(walk);
    };
    walk(moduleFigures(trainedCompiled(name)));
  });

  test("equal layers are one, a layer of one operator is that operator", () => {
    const compiled = trainedCompiled("a training step that gathers its weights");
    expect(written(moduleFigures(compiled))).toBe(
      "step(blocks ×4(up ×4, gelu ×4, down ×4, + ×4), loss, update)",
    );
  });

  test("what a backward pass takes belongs to the module whose gradient it is", () => {
    const [blocks] = moduleFigures(
      trainedCompiled("a training step that gathers its weights"),
    ).children;
    const up = blocks?.children.find(({ name }) => name === "up");
    expect(up?.figures.time.backward).toBeGreaterThan(0);
    expect(up?.figures.bytes.backward).toBeGreaterThan(0);
  });
});

describe("items with equal layers as one", () => {
  test.each(names)("%s: they add up to time, bytes, memory and operations of the step", (name) => {
    const compiled = trainedCompiled(name);
    const items = foldedItems(compiled);
    const sum = (of: (item: (typeof items)[number]) => number) =>
      items.reduce((all, item) => all + of(item), 0);
    const { cost, memory } = compiled;
    const isLike = (part: number, whole: number) =>
      whole === 0 ? expect(part).toBe(0) : expect(part / whole).toBeCloseTo(1, 9);
    isLike(
      sum(({ added }) => added),
      cost.seconds,
    );
    isLike(
      sum(({ figures }) => figures.exposed),
      cost.exposedSeconds,
    );
    isLike(
      sum(({ figures }) => figures.bytes),
      cost.bytes,
    );
    isLike(
      sum(({ figures }) => figures.memory),
      memory.peakBytes,
    );
    isLike(
      sum(({ figures }) => figures.flops),
      cost.flops,
    );
  });

  test("they are sorted by any column, and leave out what has nothing in it", () => {
    const items = foldedItems(trainedCompiled("a training step that gathers its weights"));
    for (const column of ["time", "exposed", "bytes", "memory", "flops"] as const) {
      const figures = sortedItems(items, column).map((item) => item.figures[column]);
      expect(figures).toEqual([...figures].sort((a, b) => b - a));
      expect(figures).not.toContain(0);
      expect(sortedItems(items, column, "least").map((item) => item.figures[column])).toEqual(
        [...figures].sort((a, b) => a - b),
      );
    }
  });
});

describe("a waterfall between two plans", () => {
  const plans = [...names.map(trainedCompiled), compile(layeredNet(5, ""))];
  const pairs = plans.flatMap((before) => plans.map((after) => [before, after] as const));
  test.each(metrics)("of %s begins at the one, ends at the other, and has no gap", (metric) => {
    for (const [before, after] of pairs) {
      const fall = waterfallOf(before, after, metric, 6);
      const [start, end] = [wholeOf(before)[metric], wholeOf(after)[metric]];
      if (fall === undefined) throw new Error("not known");
      expect([fall.before, fall.after]).toEqual([start, end]);
      if (fall.steps.length === 0) {
        expect(Math.abs(end - start)).toBeLessThanOrEqual(1e-9 * Math.max(start, end));
        continue;
      }
      expect(fall.steps.length).toBeLessThanOrEqual(6);
      expect(fall.steps[0]?.from).toBe(start);
      expect(fall.steps.at(-1)?.to).toBe(end);
      for (const [at, { from }] of fall.steps.entries()) {
        if (at > 0) expect(from).toBe(fall.steps[at - 1]?.to);
      }
      const changes = fall.steps.reduce((sum, each) => sum + each.after - each.before, 0);
      expect((start + changes - end) / Math.max(start, end)).toBeCloseTo(0, 8);
    }
  });

  test("of a plan and itself has no steps, and of what is not known there is none", () => {
    const plan = trainedCompiled("a forward pass");
    expect(waterfallOf(plan, plan, "time")?.steps).toEqual([]);
    const unknown = compile(`${layeredNet(1, "")}\nz = nobody_knows(y)\nu = z + z\n`);
    expect(waterfallOf(plan, unknown, "time")).toBeUndefined();
  });

  test("the largest change comes first", () => {
    const fall = waterfallOf(
      trainedCompiled("a forward pass"),
      trainedCompiled("a training step that gathers its weights"),
      "time",
      40,
    );
    const sizes = (fall?.steps ?? []).map(({ before, after }) => Math.abs(after - before));
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });
});
