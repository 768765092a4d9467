import { expect, test } from "vitest";
import { compileDocument } from "#compile";
import { flatSteps } from "#core/program";
import { readDocument } from "#systems";
import { unbounded } from "./run-notes.ts";
import { runProgram } from "./run-program.ts";

const layers = 12;

/** Alternating norms and products, the sums of the products cut in two. */
const deep = [
  "mesh = Mesh(p=2)",
  "x0 = Tensor((4, 16))",
  ...Array.from({ length: layers }, (_, at) => [
    `g${at} = Parameter((16,))`,
    `w${at} = Parameter((16, 16))`,
    `n${at} = layer_norm(x${at}, g${at})`,
    `x${at + 1} = matmul(n${at}, w${at})`,
    `strategy("x${at + 1}", k="p")`,
  ]).flat(),
  "",
].join("\n");

const { program } = compileDocument(readDocument(deep));
const options = { seed: 1, values: "floats" } as const;

test("bounds of floats do not grow from layer to layer: each operator has its own", () => {
  const run = runProgram(program, options);
  if (!run.ok) throw new Error(run.diagnostics[0]?.message);
  expect(run.value.first).toBeUndefined();
  const worst = program.graph.tensors.map(({ id }) => {
    const errors = run.value.ran.wanted.get(id)?.errors ?? [];
    return Math.max(0, ...errors);
  });
  expect(Math.max(...worst)).toBeLessThan(1e-11);
  expect(run.diagnostics).toEqual([]);
});

test("a fault in any layer is found on floats, at the tensor that it makes wrong", () => {
  const steps = flatSteps(program);
  const collectives = steps.flatMap((step, at) =>
    step.kind === "collective" && step.collective === "all-reduce" ? [{ at, step }] : [],
  );
  expect(collectives.length).toBe(layers);
  const tensors = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  const names = new Map(program.values.map(({ id, tensor }) => [id, tensors.get(tensor)]));
  for (const { at, step } of collectives) {
    const run = runProgram(program, { ...options, sabotage: { step: at, how: "scale" } });
    const first = run.ok ? run.value.first : undefined;
    expect(first?.tensor).toBe(names.get(step.output));
  }
});

test("numbers whose rounding has no bound are counted and named: nothing would be wrong of them", () => {
  const { graph } = program;
  const [x0] = graph.tensors;
  if (x0 === undefined) throw new Error("a graph without tensors");
  const errors = Float64Array.of(0, Number.POSITIVE_INFINITY, 1, Number.POSITIVE_INFINITY);
  const whole = { shape: [4], values: new Float64Array(4), errors };
  const run = { tensors: new Map([[x0.id, whole]]), peak: 0, assumed: [] };
  expect(unbounded(graph, run)).toEqual([
    {
      code: "execute/no-bound",
      severity: "warning",
      message:
        'the rounding of some numbers has no bound (2 of "x0"), so that the run says nothing of them',
    },
  ]);
  expect(unbounded(graph, { ...run, tensors: new Map() })).toEqual([]);
});
