import fc from "fast-check";
import { expect, test } from "vitest";
import { optimize } from "./optimize.ts";
import { PlannerMemory } from "./planner-memory.ts";
import type { PlanRequest } from "./problem.ts";
import { requestOf, smallPrograms, textOf } from "./small-programs.testing.ts";

/** The request with one operator kept whole, with less memory, or both. */
function edited(request: PlanRequest, operator: number, share: number): PlanRequest {
  const { operators } = request.graph;
  const pinned = operators.filter((_, at) => at === operator % operators.length);
  const pins = new Map(pinned.map(({ id }) => [id, { cuts: {}, carry: [] }]));
  const free = optimize(request);
  const bytes = free.ok ? free.value.bytes : 0;
  return { ...request, pins, memoryLimit: share * bytes };
}

test("a search that uses what earlier ones left finds what it finds alone", () => {
  const memory = new PlannerMemory();
  const seen = { found: 0, none: 0 };
  const check = (given: Parameters<typeof textOf>[0], operator: number, share: number) => {
    const request = requestOf(textOf(given));
    for (const each of [request, edited(request, operator, share), request]) {
      const outcome = optimize(each, { memory });
      expect(outcome).toEqual(optimize(each));
      seen[outcome.ok ? "found" : "none"] += 1;
    }
  };
  const shares = fc.constantFrom(0.5, 0.7, 0.9, 2);
  fc.assert(fc.property(smallPrograms, fc.nat(9), shares, check), { seed: 5, numRuns: 30 });
  expect(Math.min(seen.found, seen.none)).toBeGreaterThan(5);
});
