import fc from "fast-check";
import { expect, test } from "vitest";
import { boundNetwork, solveNetwork } from "./elimination.ts";
import { createEliminationMemory } from "./elimination-memory.ts";
import type { Table, Variable } from "./table.ts";

/** A network with tables over pairs and triples of variables, filled from a list of numbers. */
function networkBy(
  sizes: readonly number[],
  scopes: readonly (readonly number[])[],
  next: () => number,
): { readonly variables: readonly Variable[]; readonly tables: readonly Table[] } {
  const costs = (count: number) => Float64Array.from({ length: count }, next);
  const variables = sizes.map((size, key) => ({ cost: costs(size), key }));
  const tables = scopes.map((scope, at): Table => {
    const dims = scope.map((member) => sizes[member] ?? 1);
    const maps = dims.map((size) => Int32Array.from({ length: size }, (_, value) => value));
    return { scope, maps, dims, cost: costs(dims.reduce((a, b) => a * b, 1)), key: 100 + at };
  });
  return { variables, tables };
}

function sumOf(
  { variables, tables }: ReturnType<typeof networkBy>,
  choices: readonly number[],
): number {
  let sum = 0;
  for (const [at, { cost }] of variables.entries()) sum += cost[choices[at] ?? 0] ?? 0;
  for (const { scope, dims, cost } of tables) {
    const place = scope.reduce(
      (row, member, at) => row * (dims[at] ?? 1) + (choices[member] ?? 0),
      0,
    );
    sum += cost[place] ?? 0;
  }
  return sum;
}

/** Numbers between 0 and 1 in a fixed order. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16807 + 11) % 2147483647;
    return state / 2147483647;
  };
}

const tree = [
  [0, 1],
  [1, 2],
  [2, 3],
  [3, 4],
  [2, 5],
  [5, 6],
];
const chords = [
  [0, 3],
  [1, 5],
  [0, 6],
  [2, 6],
  [1, 4, 6],
];

test("the bound of a tree is the least sum, of any network none above it", () => {
  const gaps: number[] = [];
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.boolean(), (seed, hasChords) => {
      const sizes = [3, 2, 4, 3, 2, 3, 4];
      const network = networkBy(sizes, hasChords ? [...tree, ...chords] : tree, numbers(seed));
      const exact = solveNetwork(network.variables, network.tables);
      const { variables, tables } = network;
      const found = boundNetwork(variables, tables, createEliminationMemory(), { limit: 1 });
      expect(found.cost).toBeLessThanOrEqual(exact.cost + 1e-9);
      expect(sumOf(network, found.choices)).toBeGreaterThanOrEqual(exact.cost - 1e-9);
      if (hasChords) gaps.push(1 - found.cost / exact.cost);
      else {
        expect(found.cost).toBeCloseTo(exact.cost, 9);
        expect(sumOf(network, found.choices)).toBeCloseTo(exact.cost, 9);
      }
    }),
    { numRuns: 60, seed: 7 },
  );
  expect(Math.max(...gaps)).toBeLessThan(0.5);
});

test("what is impossible stays out of a plan", () => {
  const network = networkBy(
    [2, 2, 2],
    [
      [0, 1],
      [1, 2],
      [0, 2],
    ],
    () => 1,
  );
  for (const { cost } of network.tables) cost[0] = Number.POSITIVE_INFINITY;
  const { variables, tables } = network;
  const { choices, cost } = boundNetwork(variables, tables, createEliminationMemory(), {
    limit: 1,
  });
  expect(sumOf(network, choices)).toBe(6);
  expect(cost).toBeLessThanOrEqual(6 + 1e-9);
});
