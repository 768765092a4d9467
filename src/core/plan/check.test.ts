import { expect, test } from "vitest";
import { testGraph, testMesh, testRequests } from "./graph.testing.ts";
import { propagate } from "./propagate.ts";

/** Codes and messages of the faults of one operator's strategy. */
function faults(annotation: string, cuts: Readonly<Record<string, string>>): readonly string[] {
  const mesh = testMesh({ dp: 2, mp: 4 });
  const graph = testGraph({ x: [8, 12], w: [12, 8] }, [
    { result: "y", annotation, inputs: ["x", "w"] },
  ]);
  const { diagnostics } = propagate(graph, mesh, testRequests(mesh, { y: cuts }));
  return diagnostics.map(({ severity, message }) => `${severity}: ${message}`);
}

test.each`
  annotation               | cuts                    | fault
  ${"m k+, k+ n -> m n"}   | ${{ m: "dp", n: "mp" }} | ${undefined}
  ${"m k+, k+ n -> m n"}   | ${{ q: "dp" }}          | ${'error: "y" has no identifier "q"; its annotation has "m", "k", "n"'}
  ${"m^ k+, k+ n -> m^ n"} | ${{ m: "dp" }}          | ${'error: "m" of "y" cannot be split: it carries "^" in the annotation of "op"'}
  ${"m k+, k+ n -> m n"}   | ${{ m: "dp", n: "dp" }} | ${'error: "dp" already splits "m" of "x"; it cannot split "n" too'}
  ${"m k+, k+ n -> m n"}   | ${{ k: "dp*mp" }}       | ${'warning: "k" has 12 elements, which 8 pieces do not divide: the last ones are shorter'}
  ${"m k, k n -> m n"}     | ${{ k: "mp" }}          | ${'warning: "k" is cut, but "y" lacks it and nothing says how to combine the pieces: nnScaler would compute wrong values in silence; mark it "k+" if it is summed'}
`("$annotation cut by $cuts: $fault", ({ annotation, cuts, fault }) => {
  expect(faults(annotation, cuts)).toEqual(fault === undefined ? [] : [fault]);
});

test("what is illegal is left out and the rest of the strategy stands", () => {
  const mesh = testMesh({ dp: 2, mp: 4 });
  const graph = testGraph({ x: [8, 12], w: [12, 8] }, [
    { result: "y", annotation: "m k+, k+ n -> m n", inputs: ["x", "w"] },
  ]);
  const requests = testRequests(mesh, { y: { m: "dp", n: "dp*mp", q: "mp" } });
  const plan = propagate(graph, mesh, requests).plan;
  const strategy = [...plan.operators.values()][0]?.strategy.cuts;
  expect(strategy).toEqual({
    m: [{ kind: "axis", axis: "dp", before: 1, size: 2 }],
    n: [{ kind: "axis", axis: "mp", before: 1, size: 4 }],
  });
});

test("an axis without reduction that the result lacks is never cut by propagation", () => {
  const mesh = testMesh({ dp: 2 });
  const graph = testGraph({ x: [8, 12], w: [8] }, [
    { result: "y", annotation: "a b, a -> b", inputs: ["x", "w"] },
  ]);
  const plan = propagate(graph, mesh, testRequests(mesh, {}, { x: "dp,_" })).plan;
  expect([...plan.operators.values()][0]?.strategy.cuts).toEqual({});
});

test("a tensor that nobody reads or places is whole, and assumed so", () => {
  const mesh = testMesh({ dp: 2 });
  const graph = testGraph({ x: [8, 12] }, []);
  const placement = [...propagate(graph, mesh, testRequests(mesh, {})).plan.placements.values()][0];
  expect(placement?.status).toBe("assumed");
  expect(placement?.layout.dims.every(({ parts }) => parts.length === 0)).toBe(true);
});

test("an uneven cut of an identifier that leads a bracket is refused and left out", () => {
  const mesh = testMesh({ dp: 2 });
  const graph = testGraph({ x: [6], w: [3] }, [
    { result: "y", annotation: "(h 2), h -> h 2", inputs: ["x", "w"] },
  ]);
  const { plan, diagnostics } = propagate(graph, mesh, testRequests(mesh, { y: { h: "dp" } }));
  expect(diagnostics.map(({ code }) => code)).toEqual(["plan/uneven-bracket"]);
  expect([...plan.operators.values()][0]?.strategy.cuts).toEqual({});
});
