import { expect, test } from "vitest";
import { planDocument, planQuestion } from "#edit";
import { joinedAxes } from "./joined-axes.ts";
import { networkOf } from "./network.ts";
import type { PlanRequest } from "./problem.ts";
import { solve } from "./solve.ts";

test.each`
  sizes           | groups | joined
  ${[2, 4, 8]}    | ${3}   | ${[[0], [1], [2]]}
  ${[2, 4, 8]}    | ${2}   | ${[[0, 1], [2]]}
  ${[2, 1, 8]}    | ${3}   | ${[[0], [2]]}
  ${[2, 2, 2, 2]} | ${2}   | ${[[0, 1], [2, 3]]}
  ${[2, 2, 2, 2]} | ${1}   | ${[[0, 1, 2, 3]]}
`("axes of sizes $sizes in $groups groups", ({ sizes, groups, joined }) => {
  expect(joinedAxes(sizes, groups)).toEqual(joined);
});

function requestOf(text: string): PlanRequest {
  const { training: _, ...question } = planQuestion(planDocument(text), { freesPlaces: false });
  return { ...question, ends: new Map() };
}

/** Consecutive products, each of its own width, with sums of results further up. */
function products(mesh: string, shape: string, count: number): string {
  const lines = Array.from({ length: count }, (_, at) => [
    `w${at} = Parameter((${256 * (at + 1)}, ${256 * (at + 2)}))`,
    `x${at + 1} = matmul(x${at}, w${at})`,
  ]);
  return [`mesh = Mesh(${mesh})`, `x0 = Tensor((${shape}, 256))`, ...lines.flat()].join("\n");
}

test("with fewer strategies no plan is faster, and what is claimed holds of all strategies", () => {
  const request = requestOf(products("a=2, b=2, c=2", "64", 3));
  const best = solve(networkOf(request), undefined);
  if (best.kind !== "found") throw new Error("no plan");
  for (const groups of [3, 2, 1]) {
    const network = networkOf(request, undefined, { whole: 1e6, hubs: true, groups });
    const found = solve(network, undefined);
    if (found.kind !== "found") throw new Error("no plan");
    expect(found.found.seconds).toBeGreaterThanOrEqual(best.found.seconds);
    expect(network.floor).toBeLessThanOrEqual(best.found.seconds);
    expect(network.floor).toBeGreaterThan(0);
  }
});
