import { expect, test } from "vitest";
import { propagate } from "#core/plan";
import { lower } from "#core/program";
import { runProgramOn } from "#execute/verify";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { testEngine } from "./dawn.testing.ts";

const engine = await testEngine();

test("a contraction whose parts are summed up over devices equals the reference", async () => {
  const mesh = testMesh({ p: 4 });
  const graph = testGraph({ x: [8, 16], w: [16, 32] }, [
    { result: "y", annotation: "m k+, k+ n -> m n", inputs: ["x", "w"] },
  ]);
  const { plan } = propagate(graph, mesh, testRequests(mesh, { y: { k: "p" } }));
  const program = lower(graph, plan);
  for (const values of ["integers", "floats"] as const) {
    const run = await runProgramOn(engine, program, { seed: 1, values });
    expect(run.ok && run.value.first).toBeUndefined();
    expect(run.ok && run.value.equal).toBe(true);
  }
});
