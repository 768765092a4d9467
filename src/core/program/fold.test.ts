import fc from "fast-check";
import { expect, test } from "vitest";
import { propagate } from "#core/plan";
import {
  layeredProgram,
  layeredTrainingStep,
} from "../../execute/verify/layered-program.testing.ts";
import { randomProgram, randomTrainingStep } from "../../execute/verify/random-program.testing.ts";
import { type Line, testGraph, testMesh, testRequests } from "../plan/graph.testing.ts";
import { createFold, fold, lower, type RepeatStep, type SpmdProgram, unroll } from "./index.ts";

const factor = process.env.SOAK === undefined ? 1 : 20;

function repeatsOf(program: SpmdProgram): readonly RepeatStep[] {
  return program.stages.flatMap(({ steps }) => steps.filter((step) => step.kind === "repeat"));
}

const kinds = {
  "layered programs": (seed: number) => layeredProgram(seed, 2 + (seed % 5)),
  "layered training steps": (seed: number) => layeredTrainingStep(seed, 2 + (seed % 4)),
  "random programs": randomProgram,
  "random training steps": randomTrainingStep,
} as const;

test.each(Object.entries(kinds))("%s are given back exactly when unrolled", (_, programOf) => {
  fc.assert(
    fc.property(fc.nat(100_000), (seed) => {
      const program = programOf(seed);
      const folded = fold(program);
      expect(unroll(folded)).toStrictEqual(program);
    }),
    { seed: 1, numRuns: 40 * factor },
  );
});

/** `6 × 3 backward in reverse` for each repeat. */
function summaryOf(program: SpmdProgram): readonly string[] {
  return repeatsOf(program).map(({ count, body, reverse }) =>
    [`${count} × ${body.length} ${body[0]?.phase}`, ...(reverse ? ["in reverse"] : [])].join(" "),
  );
}

const layers = Array.from({ length: 24 }, (_, layer) => layer);
const x = (layer: number) => (layer < 0 ? "x" : `x${layer}`);

/** Layers of two products with a residual; `change` rewrites the lines of one layer. */
function twoProducts(
  change: (lines: readonly Line[], layer: number) => readonly Line[] = (lines) => lines,
  axes: (layer: number) => readonly [string, string] = () => ["dp", "mp"],
): SpmdProgram {
  const shapes = Object.fromEntries([
    ["x", [8, 16]],
    ["m", [8, 16]],
    ...layers.flatMap((layer) => [
      [`w${layer}a`, [16, 32]],
      [`w${layer}b`, [32, 16]],
    ]),
  ]);
  const lines = layers.flatMap((layer) =>
    change(
      [
        {
          result: `h${layer}`,
          annotation: "b k+, k+ f -> b f",
          inputs: [x(layer - 1), `w${layer}a`],
        },
        {
          result: `y${layer}`,
          annotation: "b f+, f+ k -> b k",
          inputs: [`h${layer}`, `w${layer}b`],
        },
        { result: `s${layer}`, annotation: "b k, b k -> b k", inputs: [`y${layer}`, "m"] },
        { result: x(layer), annotation: "b k, b k -> b k", inputs: [`s${layer}`, x(layer - 1)] },
      ],
      layer,
    ),
  );
  const mesh = testMesh({ dp: 2, mp: 2 });
  const graph = testGraph(shapes, lines);
  const strategies = Object.fromEntries(
    layers.flatMap((layer) => [
      [`h${layer}`, { b: axes(layer)[0], f: axes(layer)[1] }],
      [`y${layer}`, { b: axes(layer)[0], f: axes(layer)[1] }],
    ]),
  );
  return lower(graph, propagate(graph, mesh, testRequests(mesh, strategies)).plan);
}

test("24 equal layers become one repeat; what differs from run to run has names of its own", () => {
  const folded = fold(twoProducts());
  expect(summaryOf(folded)).toEqual(["24 × 5 forward"]);
  const [repeat] = repeatsOf(folded);
  expect(repeat?.body.map((step) => (step.kind === "local" ? "local" : step.collective))).toEqual([
    "local",
    "local",
    "all-reduce",
    "local",
    "local",
  ]);
  expect(repeat?.carried).toEqual([
    { initial: "x@0", inside: expect.any(String), next: expect.any(String), result: "x23@0" },
  ]);
  const shared = repeat?.body.flatMap((step) => (step.kind === "local" ? step.inputs : []));
  expect(shared?.filter((id) => id.startsWith("m@"))).toHaveLength(1);
});

test("names inside a body are in no list of values, and each stands for one value a run", () => {
  const folded = fold(twoProducts());
  const known = new Set(folded.values.map(({ id }) => id));
  for (const repeat of repeatsOf(folded)) {
    const inside = [...repeat.each, ...repeat.carried].map((entry) => entry.inside);
    expect(new Set(inside).size).toBe(inside.length);
    for (const id of inside) expect(known.has(id)).toBe(false);
    for (const { outside } of repeat.each) expect(outside).toHaveLength(repeat.count);
    for (const id of repeat.each.flatMap(({ outside }) => outside))
      expect(known.has(id)).toBe(true);
  }
});

const other = (lines: readonly Line[], layer: number, at: number, change: Partial<Line>) =>
  lines.map((line, index) => (layer === 11 && index === at ? { ...line, ...change } : line));

test.each<[string, SpmdProgram]>([
  [
    "is split otherwise",
    twoProducts(undefined, (layer) => (layer === 11 ? ["mp", "dp"] : ["dp", "mp"])),
  ],
  ["does something else", twoProducts((lines, layer) => other(lines, layer, 2, { linear: [[0]] }))],
  [
    "reads another value",
    twoProducts((lines, layer) => other(lines, layer, 2, { inputs: ["y11", "x3"] })),
  ],
])("a layer that %s stays outside", (_, program) => {
  const folded = fold(program);
  const counts = repeatsOf(folded)
    .filter(({ body }) => body.length === 5)
    .map(({ count }) => count);
  expect(counts.length).toBeGreaterThan(1);
  expect(Math.max(...counts)).toBeLessThan(14);
  expect(unroll(folded)).toStrictEqual(program);
});

test("what reads the result of two layers before is handed on twice", () => {
  const program = twoProducts((lines, layer) =>
    lines.map((line, at) =>
      at === 3 ? { ...line, inputs: [`s${layer}`, x(Math.max(-1, layer - 2))] } : line,
    ),
  );
  const [repeat] = repeatsOf(fold(program));
  expect(repeat?.count).toBeGreaterThan(20);
  expect(repeat?.carried).toHaveLength(2);
});

test("a program folded twice is the program folded once", () => {
  const folded = fold(layeredTrainingStep(4, 5));
  expect(fold(folded)).toStrictEqual(folded);
});

test("a training step folds its forward, its backward in reverse and its updates", () => {
  expect(summaryOf(fold(layeredTrainingStep(6, 6)))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^5 × \d+ forward$/),
      expect.stringMatching(/^5 × \d+ backward in reverse$/),
      expect.stringMatching(/^6 × \d+ update in reverse$/),
    ]),
  );
});

test("lists of a backward repeat go with the blocks, as those of the forward one", () => {
  const program = fold(layeredTrainingStep(6, 6));
  const ranks = program.values.map(({ id }) => id);
  const weights = program.graph.tensors.filter((t) => t.role === "parameter" && !t.producer);
  const parameters = new Set(weights.map(({ id }) => program.made.get(id)));
  for (const repeat of repeatsOf(program).filter(({ count }) => count > 4)) {
    const lists = repeat.each
      .map(({ outside }) => outside)
      .filter(([id]) => id && parameters.has(id));
    expect(lists.length).toBeGreaterThan(0);
    for (const list of lists) {
      const order = list.map((id) => ranks.indexOf(id));
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }
  }
});

test("without equal steps nothing changes", () => {
  const program = layeredProgram(1, 1);
  const alone = {
    ...program,
    stages: program.stages.map((s) => ({ ...s, steps: s.steps.slice(0, 1) })),
  };
  expect(fold(alone)).toEqual(alone);
});

test("a fold that remembers earlier programs folds like a fresh one", () => {
  const remembering = createFold();
  fc.assert(
    fc.property(
      fc.array(fc.nat(60), { minLength: 2, maxLength: 6 }),
      fc.boolean(),
      (seeds, one) => {
        const made = seeds.map((seed) => layeredProgram(one ? 7 : seed, 2 + (seed % 5)));
        for (const program of [...made, ...made]) {
          expect(remembering(program)).toStrictEqual(fold(program));
        }
      },
    ),
    { seed: 1, numRuns: 6 * factor },
  );
});
