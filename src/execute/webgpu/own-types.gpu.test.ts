import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileDocument } from "#compile";
import { narrowOf } from "#execute/engine";
import { runProgramOn } from "#execute/verify";
import { readDocument } from "#systems";
import { heldOf, inType, othersThan } from "../verify/in-type.testing.ts";
import { randomProgram, randomTrainingStep } from "../verify/random-program.testing.ts";
import { testEngine } from "./dawn.testing.ts";

const engine = await testEngine();
/** The same adapter with the kernels that a GPU gets. */
const asGpu = await testEngine({ limits: { isCpu: false, hasQuads: false } });

/** Singles between and halfway between neighbours of a type, at all its sizes, and too large ones. */
function singles(dtype: "bf16" | "f16", count: number): readonly number[] {
  const [least, most, digits] = dtype === "f16" ? [-26, 16, 11] : [-120, 127, 8];
  return Array.from({ length: count }, (_, at) => {
    const size = 2 ** (least + (at % (most - least + 1)));
    const place = Math.floor(at / 5) % 2 ** (digits - 1);
    const between = [0, 0.25, 0.5, 0.5 + 2 ** -9, 0.75][at % 5] ?? 0;
    const number = Math.fround(size * (1 + (place + between) * 2 ** (1 - digits)));
    return at % 3 === 0 ? -number : number;
  }).filter((number) => Number.isFinite(Math.fround(number)));
}

describe.each(["bf16", "f16"] as const)("runs in %s", (dtype) => {
  test("a device rounds as the CPU does: ties to even, subnormals, overflow", async () => {
    const numbers = singles(dtype, 20_000);
    const text = `mesh = Mesh(p=2)\nx = Tensor((${numbers.length},))\ny = neg(x)\n`;
    const { program, diagnostics } = compileDocument(readDocument(text));
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const tensors = program.graph.tensors.map((each) =>
      each.name === "y" ? { ...each, dtype } : each,
    );
    const typed = { ...program, graph: { ...program.graph, tensors } };
    const own = [{ tensor: "x", numbers }];
    const options = { seed: 1, values: "floats", precision: "own", own } as const;
    const run = await runProgramOn(engine, typed, options);
    if (!run.ok) throw new Error(run.diagnostics[0]?.message);
    const got = heldOf(run.value.ran, dtype);
    const want = numbers.map((number) => narrowOf(dtype)?.round(-number));
    expect(got.slice(0, numbers.length)).toEqual(want);
  });

  test("a leaf that a device draws itself is rounded there", async () => {
    const text = `mesh = Mesh(p=2)\nx = Tensor((256, 256), "${dtype}")\ny = relu(x)\n`;
    const { program } = compileDocument(readDocument(text));
    const options = { seed: 1, values: "floats", precision: "own", sizes: "own" } as const;
    const run = await runProgramOn(engine, program, options);
    if (!run.ok) throw new Error(run.diagnostics[0]?.message);
    // Nothing but the leaf is rounded, so its values must be exactly equal.
    expect(run.value).toMatchObject({ equal: true, maxAbsDiff: 0 });
    expect(othersThan(heldOf(run.value.ran, dtype), dtype)).toEqual([]);
  });

  test("random programs are within the bounds, and each result is a number of the type", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.boolean(), async (seed, isTraining) => {
        const made = isTraining ? randomTrainingStep(seed) : randomProgram(seed);
        const program = inType(made, dtype);
        for (const each of [engine, asGpu]) {
          const options = { seed, values: "floats", precision: "own" } as const;
          const run = await runProgramOn(each, program, options);
          if (!run.ok) throw new Error(run.diagnostics[0]?.message);
          expect(run.value.first).toBeUndefined();
          expect(othersThan(heldOf(run.value.ran, dtype), dtype)).toEqual([]);
        }
      }),
      { seed: 5, numRuns: process.env.SOAK === undefined ? 5 : 400, endOnFailure: true },
    );
  });
});
