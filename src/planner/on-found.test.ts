import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { plannedCosts, planQuestion } from "#edit";
import { readDocument } from "#systems";
import { optimize } from "./optimize.ts";
import type { Optimized } from "./optimized.ts";

/** Search for an example, limited to a share of the bytes that its fastest plan holds. */
function searched(name: string, share: number) {
  const example = examples.find((each) => each.name === name);
  if (example === undefined) throw new Error(`no example ${name}`);
  const document = readDocument(exampleText(example));
  const { training, ...question } = planQuestion(document, { freesPlaces: true });
  const request = { ...question, ...(training && { training }), ends: new Map() };
  const measure = ({ strategies, layouts }: Optimized) =>
    plannedCosts(document, { strategies, ...layouts });
  const free = optimize(request, { measure });
  if (!free.ok) throw new Error(free.diagnostic.message);
  const memoryLimit = share * measure(free.value).bytes;
  const heard: Optimized[] = [];
  const onFound = (found: Optimized) => heard.push(found);
  const outcome = optimize({ ...request, memoryLimit }, { measure, onFound });
  return { heard, outcome, memoryLimit, measure, fastest: free.value };
}

test.each([
  ["grouped-query", 0.9],
  ["two-matmuls", 0.8],
  ["zero", 0.9],
] as const)(
  "%s: every plan that is told on the way fits, and the last is the answer",
  (name, share) => {
    const { heard, outcome, memoryLimit, measure, fastest } = searched(name, share);
    if (!outcome.ok) throw new Error(outcome.diagnostic.message);
    const { bound } = outcome.value;
    expect({ ...heard.at(-1), bound }).toEqual(outcome.value);
    for (const found of heard) {
      expect(found.bytes).toBeLessThanOrEqual(memoryLimit);
      expect(found.bytes).toBe(measure(found).bytes);
      expect(found.bound).toBeLessThanOrEqual(fastest.seconds);
    }
  },
);

test("a search without a limit ends with the only plan that it finds", () => {
  const { heard } = searched("two-matmuls", 2);
  expect(heard).toEqual([]);
});
