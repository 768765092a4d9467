import { expect, test } from "vitest";
import { printLayout, wholeAxis } from "#core/mesh";
import { propagate } from "#core/plan";
import { type Line, testGraph, testMesh, testRequests } from "../plan/graph.testing.ts";
import { lower } from "./lower.ts";
import type { SpmdProgram } from "./program.ts";
import { flatSteps } from "./unroll.ts";

const matmul = "m k+, k+ n -> m n";
const twoMatmuls: readonly Line[] = [
  { result: "h", annotation: matmul, inputs: ["x", "w1"] },
  { result: "y", annotation: matmul, inputs: ["h", "w2"] },
];
const shapes = { x: [8, 16], w1: [16, 32], w2: [32, 4] };

function programOf(
  lines: readonly Line[],
  strategies: Parameters<typeof testRequests>[1],
  placements: Readonly<Record<string, string>> = {},
  axes: Readonly<Record<string, number>> = { dp: 2, mp: 2 },
): SpmdProgram {
  const mesh = testMesh(axes);
  const graph = testGraph(shapes, lines);
  return lower(graph, propagate(graph, mesh, testRequests(mesh, strategies, placements)).plan);
}

/** `all-reduce y over mp` and the like, in order. */
function collectivesOf(program: SpmdProgram): string {
  const tensors = new Map(program.values.map((value) => [value.id, value.tensor]));
  const steps = program.stages.flatMap(({ steps }) => steps);
  return steps
    .flatMap((step) =>
      step.kind === "collective"
        ? [`${step.collective} ${tensors.get(step.input)} over ${step.axes.join(",")}`]
        : [],
    )
    .join("; ");
}

test.each`
  strategies                                              | collectives
  ${{ h: {}, y: {} }}                                     | ${""}
  ${{ h: { m: "dp" }, y: { m: "dp" } }}                   | ${""}
  ${{ h: { n: "mp" }, y: {} }}                            | ${"all-gather h over mp"}
  ${{ h: { n: "mp" }, y: { k: "mp" } }}                   | ${"all-reduce y over mp"}
  ${{ h: { k: "mp" }, y: {} }}                            | ${"all-reduce h over mp"}
  ${{ h: { k: "mp" }, y: { m: "mp" } }}                   | ${"reduce-scatter h over mp"}
  ${{ h: { m: "mp" }, y: { k: "mp" } }}                   | ${"all-to-all h over mp; all-reduce y over mp"}
  ${{ h: {}, y: { k: "mp" } }}                            | ${"slice h over mp; all-reduce y over mp"}
  ${{ h: { m: "dp", n: "mp" }, y: { m: "dp", k: "mp" } }} | ${"all-reduce y over mp"}
`("strategies $strategies insert [$collectives]", ({ strategies, collectives }) => {
  expect(collectivesOf(programOf(twoMatmuls, strategies))).toBe(collectives);
});

test("a free operator follows the axes that its operands carry", () => {
  const lines = [...twoMatmuls, { result: "z", annotation: "a b -> a b", inputs: ["y"] }];
  const program = programOf(lines, { h: { m: "dp" } });
  const made = program.made;
  const layouts = ["h", "y", "z"].map((name) => {
    const value = program.values.find(
      ({ id, tensor }) => tensor === name && made.get(tensor) === id,
    );
    return value === undefined ? "" : printLayout(value.layout);
  });
  expect(layouts).toEqual(["dp,_", "dp,_", "dp,_"]);
  expect(collectivesOf(program)).toBe("");
});

test("consumers that want the same layout share one redistribution with both reasons", () => {
  const lines: readonly Line[] = [
    { result: "h", annotation: matmul, inputs: ["x", "w1"] },
    { result: "p", annotation: matmul, inputs: ["h", "w2"] },
    { result: "q", annotation: matmul, inputs: ["h", "w2"] },
  ];
  const program = programOf(lines, { h: { n: "mp" }, p: {}, q: {} });
  expect(collectivesOf(program)).toBe("all-gather h over mp");
  expect(program.redistributions[0]?.reasons).toHaveLength(2);
});

test("an operator that reduces inside leaves a whole result", () => {
  const lines = twoMatmuls.map((line) => ({ ...line, reducesInside: true }));
  const program = programOf(lines, { h: { k: "mp" }, y: { m: "mp" } });
  expect(collectivesOf(program)).toBe("all-reduce h over mp; slice h over mp");
  expect(program.redistributions[0]?.reasons).toEqual([{ kind: "reduction", operator: "h" }]);
});

test("a placed parameter is fetched into the layout that its consumer wants", () => {
  const program = programOf(twoMatmuls, { h: { m: "dp" }, y: { m: "dp" } }, { w1: "dp,_" });
  expect(collectivesOf(program)).toBe("all-gather w1 over dp");
});

test("a placed result is an identity that later consumers start from", () => {
  const program = programOf(twoMatmuls, { h: { k: "mp" }, y: { m: "mp" } }, { h: "_,_" });
  expect(collectivesOf(program)).toBe("all-reduce h over mp; slice h over mp");
  expect(program.redistributions[0]?.reasons).toEqual([{ kind: "place" }]);
});

test("values, steps and redistributions of a program refer to each other", () => {
  const program = programOf(twoMatmuls, { h: { k: "dp*mp" }, y: { n: "dp", m: "mp" } });
  const known = new Set(program.values.map(({ id }) => id));
  for (const step of flatSteps(program)) {
    const used =
      step.kind === "local" ? [...step.inputs, ...step.outputs] : [step.input, step.output];
    expect(used.every((id) => known.has(id))).toBe(true);
    if (step.kind === "collective") expect(program.redistributions[step.reshard]).toBeDefined();
  }
  const total = program.redistributions.reduce((sum, { bytes }) => sum + bytes, 0);
  const steps = program.stages
    .flatMap(({ steps }) => steps)
    .filter(({ kind }) => kind === "collective");
  expect(steps.reduce((sum, step) => sum + (step.kind === "collective" ? step.bytes : 0), 0)).toBe(
    total,
  );
});

const adding: readonly Line[] = [
  { result: "h", annotation: matmul, inputs: ["x", "w1"] },
  { result: "g", annotation: matmul, inputs: ["x", "w1"] },
  { result: "s", annotation: "a b, a b -> a b", inputs: ["h", "g"], linear: [[0, 1]] },
];

test("a partial is carried through operands in which the operator is linear together", () => {
  const mesh = testMesh({ mp: 2 });
  const graph = testGraph(shapes, adding);
  const requests = testRequests(mesh, { h: { k: "mp" }, g: { k: "mp" }, s: {} });
  const operators = new Map(
    [...requests.operators].map(([id, plan]) => {
      const carry = id === "s" ? [wholeAxis(mesh, "mp")] : [];
      return [id, { ...plan, strategy: { ...plan.strategy, carry } }] as const;
    }),
  );
  const { plan, diagnostics } = propagate(graph, mesh, { ...requests, operators });
  expect(diagnostics).toEqual([]);
  expect(collectivesOf(lower(graph, plan))).toBe("all-reduce s over mp");
});

test("a carry is refused where only one operand of the group is partial", () => {
  const mesh = testMesh({ mp: 2 });
  const graph = testGraph(shapes, adding);
  const requests = testRequests(mesh, { h: { k: "mp" }, g: {}, s: {} });
  const operators = new Map(
    [...requests.operators].map(([id, plan]) => {
      const carry = id === "s" ? [wholeAxis(mesh, "mp")] : [];
      return [id, { ...plan, strategy: { ...plan.strategy, carry } }] as const;
    }),
  );
  const { plan, diagnostics } = propagate(graph, mesh, { ...requests, operators });
  expect(diagnostics.map(({ code }) => code)).toEqual(["plan/cannot-carry"]);
  expect(collectivesOf(lower(graph, plan))).toContain("all-reduce h over mp");
});
