import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileDocument } from "#compile";
import { flatSteps, type SpmdProgram } from "#core/program";
import { readDocument } from "#systems";
import { heldOf, inType, othersThan } from "./in-type.testing.ts";
import { randomProgram, randomTrainingStep } from "./random-program.testing.ts";
import type { RunOptions } from "./run-options.ts";
import { runProgram } from "./run-program.ts";

const own = { values: "floats", precision: "own" } as const;

function ranOn(program: SpmdProgram, options: RunOptions) {
  const run = runProgram(program, options);
  if (!run.ok) throw new Error(run.diagnostics[0]?.message);
  return { ...run.value, diagnostics: run.diagnostics };
}

describe.each(["bf16", "f16"] as const)("runs in %s", (dtype) => {
  test("every result is a number of the type, and within its bound of the unsharded program", () => {
    let rounded = 0;
    fc.assert(
      fc.property(fc.nat(), fc.boolean(), (seed, isTraining) => {
        const made = isTraining ? randomTrainingStep(seed) : randomProgram(seed);
        const run = ranOn(inType(made, dtype), { seed, ...own });
        expect(run.first).toBeUndefined();
        expect(run.rounded).toEqual([dtype]);
        expect(othersThan(heldOf(run.ran, dtype), dtype)).toEqual([]);
        if (run.maxAbsDiff > 0) rounded += 1;
      }),
      { seed: 3, numRuns: process.env.SOAK === undefined ? 20 : 4000 },
    );
    expect(rounded).toBeGreaterThan(10);
  });

  test("faults of collectives are found: what is left out, and a wrong group", () => {
    let [found, tried] = [0, 0];
    for (let seed = 1; seed <= 16; seed += 1) {
      const program = inType(randomProgram(seed), dtype);
      for (const [step, each] of flatSteps(program).entries()) {
        if (each.kind !== "collective" || each.collective === "slice") continue;
        for (const how of ["drop", "group"] as const) {
          const broken = { seed, sabotage: { step, how } };
          const isWrong = (options: RunOptions) => !ranOn(program, options).equal;
          if (!isWrong({ ...broken, values: "floats" })) continue;
          tried += 1;
          if (isWrong({ ...broken, ...own })) found += 1;
        }
      }
    }
    expect(tried).toBeGreaterThan(20);
    expect(found).toBe(tried);
  });
});

const layers = 6;

/** Alternating norms and products in bf16, the sums of the products cut in four. */
const deep = [
  "mesh = Mesh(p=2, q=2)",
  'x0 = Tensor((4, 16), "bf16")',
  ...Array.from({ length: layers }, (_, at) => [
    `g${at} = Parameter((16,), "bf16")`,
    `w${at} = Parameter((16, 16), "bf16")`,
    `n${at} = layer_norm(x${at}, g${at})`,
    `x${at + 1} = matmul(n${at}, w${at})`,
    `strategy("x${at + 1}", k=("p", "q"))`,
  ]).flat(),
  "",
].join("\n");

function programOf(text: string): SpmdProgram {
  const { program, diagnostics } = compileDocument(readDocument(text));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return program;
}

test("bounds do not grow from layer to layer, and a fault in any layer is found in bf16", () => {
  const program = programOf(deep);
  const right = ranOn(program, { seed: 1, ...own });
  expect(right.equal).toBe(true);
  expect(right.diagnostics).toEqual([]);
  for (const { id, dtype } of program.graph.tensors) {
    const whole = right.ran.wanted.get(id);
    const largest = Math.max(...(whole?.values ?? []).map(Math.abs));
    if (dtype === "bf16") expect(Math.max(0, ...(whole?.errors ?? []))).toBeLessThan(largest / 8);
  }
  const steps = flatSteps(program);
  const reduced = steps.flatMap((step, at) =>
    step.kind === "collective" && step.collective === "all-reduce" ? [at] : [],
  );
  expect(reduced.length).toBeGreaterThanOrEqual(layers);
  const made = new Map(program.values.map(({ id, tensor }) => [id, tensor]));
  const names = new Map(program.graph.tensors.map(({ id, name }) => [id, name]));
  for (const at of reduced)
    for (const how of ["drop", "scale"] as const) {
      const { first } = ranOn(program, { seed: 1, ...own, sabotage: { step: at, how } });
      const step = steps[at];
      const tensor = step?.kind === "collective" ? made.get(step.output) : undefined;
      expect(first?.tensor).toBe(tensor && names.get(tensor));
    }
});

test("full precision rounds nothing, and neither do integers", () => {
  const program = programOf(deep);
  const full = ranOn(program, { seed: 1, values: "floats" });
  expect(full.rounded).toBeUndefined();
  expect(full.maxAbsDiff).toBeLessThan(1e-11);
  const exact = ranOn(program, { seed: 1, values: "integers", precision: "own" });
  expect(exact).toMatchObject({ equal: true, maxAbsDiff: 0 });
  expect(exact.rounded).toBeUndefined();
});

/** A product of 16 terms of large numbers, with its sum cut in two. */
function product(dtype: string, size: number) {
  const text = [
    "mesh = Mesh(p=2)",
    `x = Tensor((2, 16), "${dtype}")`,
    `w = Parameter((16, 2), "${dtype}")`,
    "y = matmul(x, w)",
    'strategy(y, k="p")',
    "",
  ].join("\n");
  const numbers = Array.from({ length: 32 }, () => size);
  const given = ["x", "w"].map((tensor) => ({ tensor, numbers }));
  return ranOn(programOf(text), { seed: 1, ...own, own: given });
}

test("what is too large for f16 is counted and named, not compared; in bf16 it is compared", () => {
  const large = product("f16", 100);
  expect(large.equal).toBe(true);
  expect(large.diagnostics).toEqual([
    expect.objectContaining({
      code: "execute/overflow",
      message: expect.stringContaining('4 of "y" for f16'),
    }),
  ]);
  expect(heldOf(large.ran, "f16")).toContain(Infinity);
  expect(product("bf16", 100).diagnostics).toEqual([]);
  expect(product("f16", 10).diagnostics).toEqual([]);
});

test("contributions that cancel may be off by what each was rounded", () => {
  const text = [
    "mesh = Mesh(p=2)",
    'x = Tensor((1, 2), "bf16")',
    'w = Parameter((2, 1), "bf16")',
    "y = matmul(x, w)",
    'strategy(y, k="p")',
    "",
  ].join("\n");
  // 33·31 = 1023 lies between the numbers 1020 and 1024.
  const given = [
    { tensor: "x", numbers: [33, -32] },
    { tensor: "w", numbers: [31, 32] },
  ];
  const run = ranOn(programOf(text), { seed: 1, ...own, own: given });
  expect(run.equal).toBe(true);
  expect(run.maxAbsDiff).toBe(1);
  expect(heldOf(run.ran, "bf16")).toContain(0);
});

test("own numbers that are too large for their type are refused", () => {
  const text = 'x = Tensor((2,), "f16")\ny = relu(x)\n';
  const program = programOf(`mesh = Mesh(p=2)\n${text}`);
  const options = { seed: 1, own: [{ tensor: "x", numbers: [1, 1e5] }] };
  const message = '"x" cannot be given the number 100000: it is too large for f16';
  expect(runProgram(program, { ...options, ...own }).diagnostics[0]?.message).toBe(message);
  expect(ranOn(program, { ...options, values: "floats" }).equal).toBe(true);
});

test("types of 8 bits are not rounded to, and it is said: execute/not-rounded", () => {
  const text = 'mesh = Mesh(p=2)\nx = Tensor((4,), "f8e4m3")\ny = relu(x)\n';
  const { diagnostics, rounded } = ranOn(programOf(text), { seed: 1, ...own });
  expect(rounded).toBeUndefined();
  expect(diagnostics.map(({ code }) => code)).toEqual(["execute/not-rounded"]);
});
