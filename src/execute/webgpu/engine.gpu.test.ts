import { expect, test, vi } from "vitest";
import { tensorId } from "#core/ir";
import { propagate } from "#core/plan";
import { lower, type SpmdProgram, valueId } from "#core/program";
import type { EngineTask } from "#execute/engine";
import { type DrawRule, drawLeaves, drawnAt, type ValueKind } from "#execute/reference";
import { runProgramOn } from "#execute/verify";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { dawn, testEngine } from "./dawn.testing.ts";
import { chooseGpu, GpuBudgetError } from "./index.ts";

const engine = await testEngine();

/** A chain of contractions, each with its sum cut over all devices. */
function chain(length: number, devices: number, size = 16): SpmdProgram {
  const mesh = testMesh({ p: devices });
  const names = Array.from({ length }, (_, at) => `h${at}`);
  const shapes = Object.fromEntries(names.map((name) => [`w${name}`, [size, size]]));
  const graph = testGraph(
    { x: [8, size], ...shapes },
    names.map((name, at) => ({
      result: name,
      annotation: "m k+, k+ n -> m n",
      inputs: [names[at - 1] ?? "x", `w${name}`],
    })),
  );
  const cuts = Object.fromEntries(names.map((name) => [name, { k: "p" }]));
  const { plan } = propagate(graph, mesh, testRequests(mesh, cuts));
  return lower(graph, plan);
}

function taskOf(program: SpmdProgram, values: ValueKind, seed: number): EngineTask {
  return {
    program,
    leaves: drawLeaves(program.graph, seed, values),
    settings: { values: values === "floats" ? "singles" : values },
  };
}

test("a contraction whose parts are summed up over devices equals the reference", async () => {
  for (const values of ["integers", "floats"] as const) {
    const run = await runProgramOn(engine, chain(1, 4), { seed: 1, values });
    expect(run.ok && run.value.equal).toBe(true);
    expect(run.ok && run.value.maxAbsDiff > 0).toBe(values === "floats");
  }
});

test("dispatches and submits grow with the program, not with the devices", async () => {
  const countsOf = async (length: number, devices: number) =>
    (await engine.run(taskOf(chain(length, devices), "integers", 1))).counts;
  const short = await countsOf(2, 2);
  for (const devices of [4, 8, 16]) {
    const more = await countsOf(2, devices);
    expect(more?.dispatches).toBe(short?.dispatches);
    expect(more?.submits).toBe(short?.submits);
  }
  const long = await countsOf(6, 2);
  expect(long?.dispatches).toBe(3 * (short?.dispatches ?? 0));
});

test("a long program is sent in pieces", async () => {
  const { counts } = await engine.run(taskOf(chain(24, 4, 384), "floats", 1));
  expect(counts?.submits).toBeGreaterThan(2);
});

test("other inputs make other outputs, the same inputs the same ones, bit for bit", async () => {
  const program = chain(2, 4);
  const outputsOf = async (seed: number) => {
    const { held } = await engine.run(taskOf(program, "floats", seed));
    const blocks = program.outputs.map((id) => [...(held.get(id) ?? [])]);
    return JSON.stringify(blocks.map((all) => all.map(([, own]) => own.map((b) => [...b.values]))));
  };
  const first = await outputsOf(1);
  expect(await outputsOf(1)).toBe(first);
  expect(await outputsOf(2)).not.toBe(first);
});

const rules: readonly DrawRule[] = [
  { kind: "ones" },
  { kind: "signed" },
  { kind: "positive" },
  { kind: "fraction" },
  { kind: "sign" },
  { kind: "integer", range: 3, density: 1 },
  { kind: "integer", range: 1, density: 0.25 },
  { kind: "count", range: 3 },
  { kind: "index", below: 50_257 },
];

test.each(rules)("a device draws $kind as the host does, by global index", async (rule) => {
  const mesh = testMesh({ p: 4, q: 2 });
  const shape = [300, 240] as const;
  const graph = testGraph({ x: [...shape] }, [
    { result: "y", annotation: "a b -> a b", inputs: ["x"] },
  ]);
  const cuts = testRequests(mesh, { y: { a: "p", b: "q" } });
  const program = lower(graph, propagate(graph, mesh, cuts).plan);
  const draw = { seed: 77, rule };
  const values = Float64Array.from({ length: 300 * 240 }, (_, at) => drawnAt(draw, at));
  const leaves = new Map([[tensorId("x"), { draw, values }]]);
  const { held } = await engine.run({ program, leaves, settings: { values: "singles" } });
  const read = program.values.find(({ tensor, id }) => tensor === "x" && held.has(id));
  const blocks = [...(held.get(read?.id ?? valueId("")) ?? [])].flatMap(([, own]) => own);
  expect(blocks.length).toBe(8);
  for (const { box, values: drawn } of blocks) {
    const [rows, columns] = box;
    const [row, column] = [rows?.start ?? 0, columns?.start ?? 0];
    const width = (columns?.stop ?? 0) - column;
    const wrong = drawn.findIndex(
      (value, at) =>
        value !== values[(row + Math.floor(at / width)) * shape[1] + column + (at % width)],
    );
    expect(wrong).toBe(-1);
  }
});

test("a run beyond the memory that it may take is refused with numbers before it begins", async () => {
  const small = await testEngine({ budgetBytes: 1e6 });
  const run = small.run(taskOf(chain(4, 4, 256), "floats", 1));
  await expect(run).rejects.toThrow(GpuBudgetError);
  await expect(run).rejects.toThrow(/takes \d+ MB on the GPU, and may take 1 MB/);
});

test("a run that is no longer wanted stops between two pieces", async () => {
  const wanted = new AbortController();
  // An engine without measurements sends a small piece first, however fast its device is.
  const other = await testEngine({ onProgress: (part) => part === "run" && wanted.abort() });
  const run = other.run(taskOf(chain(24, 4, 384), "floats", 1), wanted.signal);
  await expect(run).rejects.toThrow(/abort/i);
  const after = await engine.run(taskOf(chain(1, 2), "integers", 1));
  expect(after.counts?.dispatches).toBeGreaterThan(0);
});

test("what a run has compiled that is given up, the next one does not compile again", async () => {
  const made = vi.spyOn(GPUDevice.prototype, "createComputePipelineAsync");
  const other = await testEngine({ onProgress: (part) => part === "compile" && wanted.abort() });
  const wanted = new AbortController();
  const task = taskOf(chain(3, 4, 24), "floats", 1);
  await expect(other.run(task, wanted.signal)).rejects.toThrow(/abort/i);
  const begun = made.mock.calls.length;
  expect(begun).toBeGreaterThan(1);
  const { counts } = await other.run(task);
  expect(counts?.pipelines).toBe(begun);
  expect(made.mock.calls.length).toBe(begun);
  made.mockRestore();
});

test("a run whose device is lost begins again on another, once, and says so", async () => {
  const lent: GPUDevice[] = [];
  const losing = {
    requestAdapter: async () => {
      const adapter = await dawn().requestAdapter();
      if (adapter === null) return null;
      const requestDevice = async (wanted: GPUDeviceDescriptor) => {
        const device = await adapter.requestDevice(wanted);
        lent.push(device);
        return device;
      };
      const { features, info, limits } = adapter;
      return { features, info, limits, requestDevice };
    },
    // A real adapter has more members, which only its class can make; the test needs none of them.
  } as unknown as GPU;
  const choice = await chooseGpu(losing);
  if (choice.kind !== "webgpu") throw new Error(choice.why);
  const task = taskOf(chain(2, 4), "integers", 1);
  const before = await choice.engine.run(task);
  expect(before.wasLost).toBeUndefined();
  lent[0]?.destroy();
  const after = await choice.engine.run(task);
  expect(after.wasLost).toBe(true);
  expect(lent.length).toBe(2);
  expect(after.held).toEqual(before.held);
  choice.engine.destroy();
  await expect(choice.engine.run(task)).rejects.toThrow();
  expect(lent.length).toBe(2);
});

test("without WebGPU, or without an adapter, it is the CPU, and it is said why", async () => {
  expect(await chooseGpu(undefined)).toEqual({ kind: "cpu", why: "this browser has no WebGPU" });
  const none = { requestAdapter: async () => null } satisfies Partial<GPU> as GPU;
  expect(await chooseGpu(none)).toEqual({
    kind: "cpu",
    why: "WebGPU finds no adapter on this machine",
  });
});
