import { expect, test } from "vitest";
import { compile } from "#compile";
import { propagate } from "#core/plan";
import { lower } from "#core/program";
import { readDocument } from "#systems";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { runPlan } from "./run-plan.ts";
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

const heads = `import torch, nnscaler
mesh = Mesh(p=2, q=2)
@nnscaler.register_op("b (h d^), (h d^) c -> b (h d^), h c")
def f(x, w, h):
    return x * 2, w.view(h, w.size(0) // h, w.size(1)).sum(1)
@nnscaler.register_op("a b -> a b")
def g(x):
    return x.view(-1, 4, 1024).transpose(1, 2).reshape(x.shape)
x = Tensor((4096, 4096))
y, z = f(x, Tensor((4096, 512)), h=16)
`;

test("of the bracket of a function one identifier shrinks, and its arguments stay", () => {
  const { graph } = readDocument(heads);
  const smaller = scaleDown(graph, 4, 4);
  const shapes = smaller.tensors.map(({ name, shape }) => [name, shape]);
  expect(Object.fromEntries(shapes)).toMatchObject({ x: [16, 16], y: [16, 16], z: [16, 16] });
  expect(smaller.operators[0]?.axes.map(({ name, size }) => `${name}=${size}`)).toEqual([
    ...["b=16", "h=16", "d=1", "c=16"],
  ]);
});

test("a function whose body takes no smaller sizes keeps those that it has", () => {
  const text = heads
    .replace("x = Tensor((4096, 4096))", "x = g(Tensor((64, 256)))")
    .replace("return x.view(-1, 4, 1024)", "assert x.size(1) == 256\n    return x.view(-1, 4, 64)")
    .replace("(4096, 512)", "(256, 131072)");
  const { plan, program } = compile(`${text}strategy(y, b="p", h="q")\nstrategy(x, a="p")\n`);
  const { traceBody } = readDocument(text);
  const run = runPlan(plan, program, { seed: 1, values: "integers", traceBody });
  expect(run.diagnostics.map(({ code }) => code)).not.toContain("execute/assumed-body");
  expect(run.diagnostics[0]?.message).toMatch(/^the run used smaller sizes .* 256×\d+/);
  expect(run.ok && run.value.equal).toBe(true);
});
