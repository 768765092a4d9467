import { readFileSync } from "node:fs";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { readDocument } from "#systems";
import { planRequestOf } from "../cli/commands/plan-request.ts";
import { readPlatform } from "../cli/commands/platform-request.ts";
import { passedValue } from "../core/mesh/layouts.testing.ts";
import { loadSolver, type SolveOther } from "./highs.testing.ts";
import { columnLimitOf } from "./linear-program.testing.ts";
import { evaluate, type Network, networkOf } from "./network.ts";
import type { PlanRequest } from "./problem.ts";
import { requestOf, type SmallProgram, smallPrograms, textOf } from "./small-programs.testing.ts";
import { solve } from "./solve.ts";

interface Given {
  readonly id: string;
  readonly request: {
    readonly command: string;
    readonly args: Readonly<Record<string, unknown>>;
  };
}

/** The most columns of a program that HiGHS solves in a moment. */
const columnLimit = 700;

let solveOther: SolveOther;
beforeAll(async () => {
  solveOther = await loadSolver();
});

/**
 * Expects both solvers' plans to cost the same by the definition of cost, or neither to find one.
 */
function agree(network: Network, limit?: number): "found" | "too-large" | "impossible" {
  const ours = solve(network, limit);
  const theirs = solveOther(network, limit);
  if (ours.kind !== "found") {
    expect(theirs.kind).toBe("infeasible");
    return ours.kind;
  }
  if (theirs.kind !== "found") throw new Error(`HiGHS: ${theirs.kind}`);
  const { seconds, bytes } = evaluate(network, theirs.plan);
  const tolerance = 1e-6 * Math.max(seconds, ours.found.seconds);
  expect(Math.abs(seconds - ours.found.seconds)).toBeLessThanOrEqual(tolerance);
  expect(bytes).toBeLessThanOrEqual((limit ?? Number.POSITIVE_INFINITY) * (1 + 1e-6));
  return ours.kind;
}

function requestsIn(set: string): readonly PlanRequest[] {
  const { cases }: { readonly cases: readonly Given[] } = JSON.parse(
    readFileSync(`conformance/${set}.json`, "utf8"),
  );
  return cases.flatMap(({ id, request: { command, args } }) => {
    const isPlanned = command === "optimize" && typeof args.program === "string";
    if (!isPlanned || id === "pin-conflict") return [];
    const document = readDocument(String(args.program), passedValue(readPlatform(args.hardware)));
    return [passedValue(planRequestOf(document, args))];
  });
}

test.each([
  ["planner", 15],
  ["planner-random", 70],
])(
  "HiGHS finds no cheaper plan of the small cases of %s, and none where there is none",
  (set, least) => {
    let compared = 0;
    for (const request of requestsIn(set)) {
      const network = networkOf(request);
      if (columnLimitOf(network) > columnLimit) continue;
      agree(network, request.memoryLimit);
      compared += 1;
    }
    expect(compared).toBeGreaterThanOrEqual(least);
  },
);

test("HiGHS agrees on random programs, forward and in training, with a limit of memory or without", () => {
  const seen = { forward: 0, trained: 0, limited: 0, impossible: 0 };
  const check = (given: SmallProgram) => {
    const network = networkOf(requestOf(textOf(given)));
    fc.pre(columnLimitOf(network) <= columnLimit);
    agree(network);
    const leanest = solve(network, 1);
    if (leanest.kind !== "too-large") throw new Error("a plan of one byte");
    const { bytes } = leanest.least;
    if (agree(network, 1.1 * bytes) === "found") seen.limited += 1;
    if (agree(network, 0.999 * bytes) === "too-large") seen.impossible += 1;
    seen[given.trains ? "trained" : "forward"] += 1;
  };
  fc.assert(fc.property(smallPrograms, check), { seed: 5, numRuns: 20 });
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5);
});
