import { expect, test } from "vitest";
import { propagate } from "#core/plan";
import { lower } from "#core/program";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { runPlan } from "./run-program.ts";
import { scaleDown } from "./scale-down.ts";

const lines = [
  { result: "h", annotation: "m k+, k+ n -> m n", inputs: ["x", "w1"] },
  { result: "y", annotation: "(a 4^) n -> a 4^ n", inputs: ["h"] },
];

test("dims that operators bind together shrink together, and keep what divides them", () => {
  const graph = testGraph({ x: [64, 1024], w1: [1024, 1001] }, lines.slice(0, 1));
  const shapes = scaleDown(graph, 4, 8).tensors.map(({ name, shape }) => [name, shape]);
  expect(Object.fromEntries(shapes)).toEqual({ x: [8, 8], w1: [8, 9], h: [8, 9] });
  expect(scaleDown(graph, 4, 8).operators[0]?.axes.map(({ size }) => size)).toEqual([8, 8, 9]);
});

test("what a bracket ties down keeps its size", () => {
  const graph = testGraph({ x: [64, 1024], w1: [1024, 1001] }, lines);
  const shapes = scaleDown(graph, 4, 8).tensors.map(({ name, shape }) => [name, shape]);
  expect(Object.fromEntries(shapes)).toEqual({
    x: [64, 8],
    w1: [8, 9],
    h: [64, 9],
    y: [16, 4, 9],
  });
});

test("a plan that is too large to run is run on smaller sizes, with a note", () => {
  const mesh = testMesh({ p: 2, q: 2 });
  const graph = testGraph({ x: [4096, 4096], w1: [4096, 4096] }, lines.slice(0, 1));
  const { plan } = propagate(graph, mesh, testRequests(mesh, { h: { m: "p", k: "q" } }));
  const run = runPlan(plan, lower(graph, plan), { seed: 1, values: "integers" });
  expect(run.ok && run.value.equal).toBe(true);
  expect(run.diagnostics.map(({ message }) => message)[0]).toBe(
    "the run used smaller sizes that the plan cuts in the same way: x as 16×16, w1 as 16×16",
  );
});
