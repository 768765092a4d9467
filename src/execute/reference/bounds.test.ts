import { expect, test } from "vitest";
import { sampleCalls } from "./calls.testing.ts";
import { leafValues, runReference } from "./index.ts";
import { gradientCalls, graphOf } from "./operator.testing.ts";

/** The largest error bound among an operator's results. */
function worstBound(graph: ReturnType<typeof graphOf>): number {
  const { tensors } = runReference(graph, leafValues(graph, 3, "floats"), "floats");
  return Math.max(...[...tensors.values()].flatMap(({ errors }) => [...errors]));
}

test("the bound of a float is a few units of roundoff, so it says something", () => {
  const calls = sampleCalls(() => 3);
  const loose = calls.filter(({ entry, call }) => {
    const graphs = [graphOf(entry, call), ...gradientCalls(entry, call).map(({ graph }) => graph)];
    return graphs.some((graph) => !(worstBound(graph) < 1e-11));
  });
  expect(loose.map(({ title }) => title)).toEqual([]);
});

test("the bound of a single says something too, of every operator alone", () => {
  const calls = sampleCalls(() => 3);
  const loose = calls.filter(({ entry, call }) => {
    const graph = graphOf(entry, call);
    const { tensors } = runReference(graph, leafValues(graph, 3, "floats"), "singles");
    return [...tensors.values()].some(({ errors }) => errors.some((error) => !(error < 2e-3)));
  });
  expect(loose.map(({ title }) => title)).toEqual([]);
});

test("integers stay integers in every operator", () => {
  for (const { entry, call } of sampleCalls(() => 3)) {
    const graph = graphOf(entry, call);
    const { tensors, peak } = runReference(graph, leafValues(graph, 3, "integers"), "integers");
    const values = [...tensors.values()].flatMap((whole) => [...whole.values]);
    expect(values.every(Number.isInteger), entry.name).toBe(true);
    expect(peak).toBeLessThan(2 ** 24);
  }
});
