import { expect, test } from "vitest";
import { type Graph, tensorId } from "#core/ir";
import { propagate } from "#core/plan";
import { lower } from "#core/program";
import { drawLeaves } from "#execute/reference";
import { testGraph, testMesh, testRequests } from "../../core/plan/graph.testing.ts";
import type { OwnNumbers } from "./own-numbers.ts";
import { runProgram } from "./run-program.ts";

function notesOf(graph: Graph, own: readonly OwnNumbers[]) {
  const mesh = testMesh({ p: 2 });
  const { plan } = propagate(graph, mesh, testRequests(mesh, { y: { a: "p" } }));
  const run = runProgram(lower(graph, plan), { seed: 1, values: "integers", own });
  if (!run.ok) throw new Error(run.diagnostics[0]?.message);
  return run.diagnostics.filter(({ code }) => code === "execute/all-zero");
}

const scaled = testGraph({ x: [4, 2], v: [4, 2] }, [
  { result: "y", annotation: "a b, a b -> a b", inputs: ["x", "v"] },
  { result: "z", annotation: "a b -> a b", inputs: ["y"] },
]);

test("of results that are 0 everywhere it is said that no fault can show there", () => {
  expect(notesOf(scaled, [])).toEqual([]);
  const [note, ...others] = notesOf(scaled, [{ tensor: "x", numbers: new Array(8).fill(0) }]);
  expect(others).toEqual([]);
  expect(note?.message).toBe(
    '2 of 2 results are 0 everywhere on these numbers, so no fault can show there: "y", "z"',
  );
});

test("one number that scales others is never 0, as an input and as a parameter", () => {
  const graph = testGraph({ s: [], one: [1, 1], w: [1], many: [64] }, [
    { result: "y", annotation: "a -> a", inputs: ["many"] },
  ]);
  const seen = new Set<number>();
  for (let seed = 1; seed <= 60; seed += 1) {
    for (const range of [1, 3]) {
      const leaves = drawLeaves(graph, seed, "integers", { range, density: 0.25 });
      for (const name of ["s", "one", "w"]) {
        const [number = 0] = leaves.get(tensorId(name))?.values ?? [];
        seen.add(Math.abs(number));
      }
    }
  }
  expect([...seen].sort()).toEqual([1, 2, 3]);
});
