import { expect, test } from "vitest";
import { flatSteps, type SpmdProgram, type ValueId } from "#core/program";
import type { Engine } from "#execute/engine";
import { type RunOptions, runProgramOn } from "#execute/verify";
import { randomProgram, randomTrainingStep } from "../verify/random-program.testing.ts";
import { testEngine } from "./dawn.testing.ts";

/** However small the values are; on an adapter of few workgroups too. */
const engine = await testEngine({ limits: { compareFrom: 0 } });
const small = await testEngine({ limits: { compareFrom: 0, workgroups: 2 } });

/** The same device, with all comparing left to the host. */
const readingAll: Engine = {
  ...{ name: "webgpu", isSingle: true },
  run: ({ wanted: _, ...task }) => engine.run(task),
};

async function bothWays(program: SpmdProgram, options: RunOptions, onGpu: Engine = engine) {
  const runs = [];
  for (const each of [onGpu, readingAll]) {
    const run = await runProgramOn(each, program, options);
    if (!run.ok) throw new Error(run.diagnostics[0]?.message);
    const { ran, ...said } = run.value;
    runs.push({ said: { ...said, wrongStep: ran.wrongStep, notes: run.diagnostics }, ran });
  }
  return runs;
}

test("what the device compares and what the host compares is the same, with faults and without", async () => {
  const counts = { same: 0, read: 0, wrong: 0 };
  for (let seed = 1; seed <= 8; seed += 1) {
    const program = randomProgram(seed);
    const steps = [...flatSteps(program).entries()].filter(([, { kind }]) => kind === "collective");
    const faults = steps
      .slice(0, 2)
      .map(([step]) => ({ sabotage: { step, how: "drop" } as const }));
    for (const fault of [{}, ...faults]) {
      const options = { seed, values: "integers", ...fault } as const;
      const [onGpu, onHost] = await bothWays(program, options, seed % 2 === 0 ? engine : small);
      expect(onGpu?.said, String(seed)).toEqual(onHost?.said);
      counts.same += onGpu?.ran.run.same?.size ?? 0;
      counts.read += onGpu?.ran.run.held.size ?? 0;
      if (onGpu?.said.first !== undefined) counts.wrong += 1;
      expect(onHost?.ran.run.same?.size).toBe(0);
    }
  }
  expect(counts.same).toBeGreaterThan(50);
  expect(counts.read).toBeGreaterThan(10);
  expect(counts.wrong).toBeGreaterThan(5);
});

test("so it is on words that wrap around, and on floats, of which the host compares all", async () => {
  const step = randomTrainingStep(3);
  for (const values of ["integers", "floats"] as const) {
    const [onGpu, onHost] = await bothWays(step, { seed: 3, values });
    expect(onGpu?.said).toEqual(onHost?.said);
    expect((onGpu?.ran.run.same?.size ?? 0) > 0).toBe(values === "integers");
  }
});

test("few words, and those of a CPU that plays a GPU, are read at once and compared on the host", async () => {
  for (const limits of [
    {},
    { isCpu: true },
    { isCpu: false, hasQuads: false, compareFrom: 2 ** 18 },
  ]) {
    const options = { seed: 7, values: "integers" } as const;
    const run = await runProgramOn(await testEngine({ limits }), randomProgram(7), options);
    expect(run.ok && run.value.ran.run.same?.size).toBe(0);
    expect(run.ok && run.value.ran.run.held.size).toBeGreaterThan(0);
  }
});

test("a value that stayed on the device is read device by device, until it is released", async () => {
  const program = randomProgram(7);
  const [onGpu, onHost] = await bothWays(program, { seed: 7, values: "integers" });
  const { same = new Set<ValueId>(), read, release } = onGpu?.ran.run ?? {};
  expect(same.size).toBeGreaterThan(0);
  const devices = [program.devices.at(-1) ?? 0, program.devices[0] ?? 0];
  for (const id of same) {
    const blocks = await read?.(id, devices);
    const all = onHost?.ran.run.held.get(id);
    expect(onGpu?.ran.run.held.has(id)).toBe(false);
    expect([...(blocks ?? [])]).toEqual(devices.map((device) => [device, all?.get(device)]));
  }
  release?.();
  const [first] = same;
  await expect(first === undefined ? undefined : read?.(first, devices)).rejects.toThrow(
    "the run is no longer there",
  );
});
