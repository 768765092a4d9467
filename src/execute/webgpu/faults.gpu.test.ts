import { expect, test } from "vitest";
import { flatSteps } from "#core/program";
import { runProgram, runProgramOn } from "#execute/verify";
import { randomProgram } from "../verify/random-program.testing.ts";
import { testEngine } from "./dawn.testing.ts";

const engine = await testEngine();
const count = process.env.SOAK === undefined ? 14 : 200;

test("a collective that is left out, or out of order, is found where the CPU finds it", async () => {
  const found = new Map<string, number>();
  for (let seed = 1; seed <= count; seed += 1) {
    const program = randomProgram(seed);
    for (const [step, each] of flatSteps(program).entries()) {
      if (each.kind !== "collective") continue;
      for (const how of ["drop", "swap"] as const) {
        const options = { seed, values: "integers", sabotage: { step, how } } as const;
        const onCpu = runProgram(program, options);
        const onGpu = await runProgramOn(engine, program, options);
        const [wanted, got] = [onCpu, onGpu].map((run) => {
          if (!run.ok) throw new Error(run.diagnostics[0]?.message);
          const { first } = run.value;
          return first && { tensor: first.tensor, device: first.device, index: first.index };
        });
        expect(got, `${how} ${each.collective} of ${seed}`).toEqual(wanted);
        const name = `${how} ${each.collective}`;
        if (got !== undefined) found.set(name, (found.get(name) ?? 0) + 1);
      }
    }
  }
  for (const collective of ["all-gather", "all-to-all", "all-reduce", "reduce-scatter"]) {
    expect(found.get(`drop ${collective}`), collective).toBeGreaterThan(0);
  }
  expect(found.get("swap all-gather")).toBeGreaterThan(0);
});
