import { expect, test } from "vitest";
import { compileDocument } from "#compile";
import { propagate } from "#core/plan";
import { lower, type SpmdProgram } from "#core/program";
import type { EngineTask } from "#execute/engine";
import { drawLeaves } from "#execute/reference";
import { runProgramOn } from "#execute/verify";
import { readDocument } from "#systems";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { randomProgram } from "../verify/random-program.testing.ts";
import { testEngine } from "./dawn.testing.ts";
import { planRun } from "./plan-run.ts";

/** An adapter of few workgroups, few bindings, and so slow that kernels are cut into parts. */
const small = { workgroups: 3, cutFrom: 2 ** 10, storageBuffers: 6 };
const engine = await testEngine();
const smallEngine = await testEngine({ limits: small });

function contraction(size: number, devices: number): SpmdProgram {
  const graph = testGraph({ x: [size, size], w: [size, size] }, [
    { result: "h", annotation: "m k+, k+ n -> m n", inputs: ["x", "w"] },
  ]);
  const mesh = testMesh({ p: devices });
  return lower(graph, propagate(graph, mesh, testRequests(mesh, { h: { n: "p" } })).plan);
}

function taskOf(program: SpmdProgram): EngineTask {
  const leaves = drawLeaves(program.graph, 1, "integers");
  return { program, leaves, settings: { values: "integers" } };
}

test("kernels beyond an adapter's limits run in parts, and equal the reference", async () => {
  for (let seed = 1; seed <= 5; seed += 1) {
    const run = await runProgramOn(smallEngine, randomProgram(seed), { seed, values: "integers" });
    if (!run.ok) throw new Error(run.diagnostics[0]?.message);
    expect(run.value.first, String(seed)).toBeUndefined();
  }
  const run = await runProgramOn(smallEngine, contraction(96, 8), { seed: 1, values: "integers" });
  expect(run.ok && run.value.equal).toBe(true);
});

test("no kernel is planned beyond the limits, and all its workgroups are in its parts", () => {
  const numbers = { type: "f32", isExact: true } as const;
  const limits = {
    ...{
      isCpu: true,
      hasQuads: false,
      bindingWords: 2 ** 28,
      compareFrom: 0,
      workgroupBytes: 2 ** 14,
    },
    ...small,
  };
  const { commands } = planRun(taskOf(contraction(200, 8)), numbers, limits).gpu;
  const kernels = commands.filter((command) => command.kind === "kernel");
  expect(kernels.some(({ cut }) => cut !== undefined)).toBe(true);
  for (const { cut, workgroups, buffers } of kernels) {
    expect(buffers.length + 1).toBeLessThanOrEqual(small.storageBuffers);
    if (cut === undefined) expect(Math.max(...workgroups)).toBeLessThanOrEqual(small.workgroups);
  }
});

test("a kernel in parts makes what it makes at once, counts once, and takes several submits", async () => {
  const program = contraction(384, 2);
  const [whole, parts] = await Promise.all(
    [{ cutFrom: 2 ** 40 }, { cutFrom: 2 ** 18 }].map(async (limits) =>
      (await testEngine({ limits })).run(taskOf(program)),
    ),
  );
  expect(parts?.held).toEqual(whole?.held);
  expect(parts?.counts?.dispatches).toBe(whole?.counts?.dispatches);
  expect(parts?.counts?.submits).toBeGreaterThan(whole?.counts?.submits ?? 0);
});

test("a run is stopped between the parts of one kernel", async () => {
  let asked = 0;
  const signal = {
    throwIfAborted: () => {
      asked += 1;
      if (asked > 3) throw new Error("no longer wanted");
    },
  };
  const task = taskOf(contraction(768, 1));
  await expect(engine.run(task, signal)).rejects.toThrow("no longer wanted");
  const { counts } = await engine.run(task);
  expect(counts?.submits).toBeGreaterThan(3);
});

test("devices without a row of what is summed over rows have nothing to do", async () => {
  const asGpu = await testEngine({ limits: { isCpu: false, hasQuads: false } });
  const { program } = compileDocument(
    readDocument('mesh = Mesh(p=4)\nx = Tensor((2, 8))\ny = softmax(x)\nstrategy(y, a="p")\n'),
  );
  for (const each of [engine, asGpu]) {
    const run = await runProgramOn(each, program, { seed: 1, values: "floats", precision: "own" });
    if (!run.ok) throw new Error(run.diagnostics[0]?.message);
    expect(run.value.equal).toBe(true);
  }
});
