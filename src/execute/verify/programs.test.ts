import fc from "fast-check";
import { expect, test } from "vitest";
import { propagate } from "#core/plan";
import { lower, type SpmdProgram } from "#core/program";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import { plantFaults } from "./faults.testing.ts";
import { randomProgram } from "./random-program.testing.ts";
import { runProgram } from "./run-program.ts";

const factor = process.env.SOAK === undefined ? 1 : 334;

function summaryOf(program: SpmdProgram): string {
  const calls = program.graph.operators.map(({ name, call }) => `${name} = ${call}`);
  return `${calls.join("; ")} on ${program.devices.length} devices`;
}

test("random programs under random plans equal the reference: integers bit for bit, floats within the bound", () => {
  const counts = new Set<number>();
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      const program = randomProgram(seed);
      counts.add(program.devices.length);
      for (const values of ["integers", "floats"] as const) {
        const run = runProgram(program, { seed, values });
        if (!run.ok) throw new Error(run.diagnostics[0]?.message);
        // A note about results that are 0 everywhere is allowed, a fault is not.
        const said = run.diagnostics.map(({ code }) => code);
        expect(said.filter((code) => code !== "execute/all-zero")).toEqual([]);
        expect(run.value.first, `${values}: ${summaryOf(program)}`).toBeUndefined();
        if (values === "integers") expect(run.value.maxAbsDiff).toBe(0);
      }
    }),
    { seed: 1, numRuns: process.env.SOAK === undefined ? 75 : 150 * factor },
  );
  expect([...counts].sort((a, b) => a - b)).toEqual([2, 4, 6, 8, 16]);
});

const collectives = ["all-gather", "reduce-scatter", "all-to-all", "collective-permute"];

test("a run finds every collective that is left out or speaks in another order", () => {
  const seeds = Array.from({ length: 80 * factor }, (_, at) => at + 1);
  const { tried, survivors } = plantFaults(seeds, randomProgram);
  const faults = [...collectives, "all-reduce"].flatMap((name) => [`drop ${name}`, `swap ${name}`]);
  expect([...tried.keys()]).toEqual(expect.arrayContaining(faults));
  // Every survivor left the same data on every device: there was nothing to find.
  expect(survivors.filter(({ reason }) => reason === undefined)).toEqual([]);
  // Integers add up in any order; elsewhere equal blocks are chance.
  const byChance = survivors.filter(({ name }) => name !== "swap all-reduce");
  expect(survivors.length - byChance.length).toBe(tried.get("swap all-reduce"));
  const count = [...tried.values()].reduce((sum, each) => sum + each, 0);
  expect(count).toBeGreaterThan(150);
  expect(byChance.length / count).toBeLessThan(0.02);
});

test("faults of groups, orders, blocks and factors are found, or it is said that they cannot show", () => {
  const seeds = Array.from({ length: 12 * factor }, (_, at) => at + 1);
  const { tried, survivors } = plantFaults(seeds, randomProgram, [
    ...(["group", "order", "stale", "scale"] as const),
  ]);
  const count = [...tried.values()].reduce((sum, each) => sum + each, 0);
  expect(count).toBeGreaterThan(60 * factor);
  // Shares of one sum may differ on every device, and add up to the same.
  const unseen = survivors.filter(({ reason, isKnown }) => reason === undefined && !isKnown);
  expect(unseen).toEqual([]);
  const unsaid = survivors.filter(({ isKnown }) => !isKnown);
  expect(unsaid.length / count, JSON.stringify(unsaid)).toBeLessThan(0.12);
});

test("a cut that loses values without a word is seen by a run", () => {
  const mesh = testMesh({ p: 2 });
  const graph = testGraph({ x: [4, 6], y: [4] }, [
    { result: "z", annotation: "a b, a -> b", inputs: ["x", "y"] },
  ]);
  const { plan } = propagate(graph, mesh, testRequests(mesh, { z: { a: "p" } }));
  const run = runProgram(lower(graph, plan), { seed: 1, values: "integers" });
  expect(run.ok && run.value.first).toMatchObject({ tensor: "z", device: 0 });
  expect(run.diagnostics.map(({ code }) => code)).toEqual(["execute/assumed-body"]);
});

test("a program that is too large to check is refused with its size", () => {
  const mesh = testMesh({ p: 2 });
  const graph = testGraph({ x: [4096, 8192] }, [
    { result: "z", annotation: "a b -> a b", inputs: ["x"] },
  ]);
  const { plan } = propagate(graph, mesh, testRequests(mesh, {}));
  const run = runProgram(lower(graph, plan), { seed: 1, values: "floats" });
  expect(run.diagnostics.map(({ code }) => code)).toEqual(["execute/too-large"]);
});

/** Consecutive products with cut sums, whose integers grow far beyond a double. */
function longChain(placements: Readonly<Record<string, string>> = {}): SpmdProgram {
  const names = Array.from({ length: 48 }, (_, at) => `h${at}`);
  const mesh = testMesh({ p: 4 });
  const graph = testGraph(
    { x: [4, 32], ...Object.fromEntries(names.map((name) => [`w${name}`, [32, 32]])) },
    names.map((name, at) => ({
      result: name,
      annotation: "m k+, k+ n -> m n",
      inputs: [names[at - 1] ?? "x", `w${name}`],
    })),
  );
  const cuts = Object.fromEntries(names.map((name) => [name, { k: "p" }]));
  const { plan } = propagate(graph, mesh, testRequests(mesh, cuts, placements));
  return lower(graph, plan);
}

test("integers that outgrow a double become words, on which a missing sum is found in every layer", () => {
  const program = longChain();
  const run = runProgram(program, { seed: 1, values: "integers" });
  expect(run.diagnostics.map(({ code }) => code)).toContain("execute/words");
  expect(run.ok && run.value.equal).toBe(true);
  expect(run.ok && run.value.maxAbsDiff).toBe(0);
  const steps = program.stages.flatMap((stage) => stage.steps);
  const sums = steps.flatMap(({ kind }, at) => (kind === "collective" ? [at] : []));
  const layers = sums
    .filter((_, at) => at % 8 === 0)
    .map((step) => {
      const broken = { seed: 1, values: "integers", sabotage: { step, how: "drop" } } as const;
      const faulty = runProgram(program, broken);
      return faulty.ok ? faulty.value.first?.tensor : undefined;
    });
  expect(layers).toEqual(["h0", "h8", "h16", "h24", "h32", "h40"]);
});

test.each(["avg", "prod"])(
  "where a tensor is in parts that combine by %s, integers that outgrow a double give way to floats",
  (by) => {
    const program = longChain({ x: `_,_|${by}(p)` });
    const run = runProgram(program, { seed: 1, values: "integers" });
    expect(run.diagnostics.map(({ code }) => code)).toContain("execute/not-exact");
    expect(run.diagnostics.map(({ code }) => code)).not.toContain("execute/words");
    expect(run.ok && run.value.equal).toBe(true);
    const steps = program.stages.flatMap((stage) => stage.steps);
    const step = steps.findIndex(
      (each) => each.kind === "collective" && each.collective !== "slice",
    );
    const sabotage = { step, how: "drop" } as const;
    const faulty = runProgram(program, { seed: 1, values: "integers", sabotage });
    expect(faulty.ok && faulty.value.equal).toBe(false);
  },
);

test("a tensor that no other dim divides cannot be cut along a wrong one", () => {
  const graph = testGraph({ x: [8, 3] }, [
    { result: "y", annotation: "m n -> m n", inputs: ["x"] },
  ]);
  const mesh = testMesh({ p: 2 });
  const { plan } = propagate(graph, mesh, testRequests(mesh, { y: { m: "p" } }));
  const [tensor] = graph.tensors;
  if (tensor === undefined) throw new Error("no x");
  const sabotage = { tensor: tensor.id, how: "cut" } as const;
  const run = runProgram(lower(graph, plan), { seed: 1, values: "integers", sabotage });
  expect(run.diagnostics.map(({ code }) => code)).toContain("execute/no-other-cut");
});
