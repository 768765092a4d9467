import fc from "fast-check";
import { expect, test } from "vitest";
import { flatSteps, type SpmdProgram } from "#core/program";
import { runProgramOn } from "#execute/verify";
import { convolutionGraph, meshOf, planned, samples } from "../verify/windows.testing.ts";
import { testEngine } from "./dawn.testing.ts";

const engine = await testEngine();

async function firstOf(program: SpmdProgram, values: "integers" | "floats", dropped?: number) {
  const sabotage =
    dropped === undefined ? {} : { sabotage: { step: dropped, how: "drop" as const } };
  const run = await runProgramOn(engine, program, { seed: 3, values, ...sabotage });
  if (!run.ok) throw new Error(run.diagnostics[0]?.message);
  return run.value.first;
}

test("windows whose halos are exchanged give what whole tensors give, and else they do not", async () => {
  const kinds = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(samples, async ({ dims, sizes, cut, placed }) => {
      const program = planned(convolutionGraph(dims), meshOf(sizes), cut, { x: placed });
      expect(await firstOf(program, "integers")).toBeUndefined();
      expect(await firstOf(program, "floats")).toBeUndefined();
      const steps = flatSteps(program);
      const at = steps.findIndex((step) => step.kind === "collective" && step.elements > 0);
      const step = steps[at];
      if (step?.kind !== "collective") return;
      kinds.set(step.collective, (kinds.get(step.collective) ?? 0) + 1);
      expect(await firstOf(program, "integers", at)).toBeDefined();
    }),
    { seed: 1, numRuns: process.env.SOAK === undefined ? 20 : 800 },
  );
  expect(kinds.get("exchange")).toBeGreaterThan(5);
});
