import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate, type Network, networkOf } from "./network.ts";
import { requestOf, type SmallProgram, smallPrograms, textOf } from "./small-programs.testing.ts";
import { solve } from "./solve.ts";
import type { Weight } from "./weight.ts";

const smallOnes = smallPrograms.filter(({ mesh, steps }) => mesh === "a=2" && steps.length < 3);

/** All plans of a network; the yielded array is reused and changes between plans. */
function* allPlans({ unknowns }: Network): Generator<readonly number[]> {
  const sizes = unknowns.map(({ seconds }) => seconds.length);
  const plan = sizes.map(() => 0);
  for (;;) {
    yield plan;
    let at = plan.length - 1;
    while (at >= 0 && (plan[at] ?? 0) + 1 >= (sizes[at] ?? 1)) plan[at--] = 0;
    if (at < 0) return;
    plan[at] = (plan[at] ?? 0) + 1;
  }
}

function countOf({ unknowns }: Network): number {
  return unknowns.reduce((product, { seconds }) => product * seconds.length, 1);
}

const factor = process.env.SOAK === undefined ? 1 : 20;

test.each([
  { programs: smallOnes, runs: 130, planLimit: 800, least: 20 },
  { programs: smallPrograms, runs: 20, planLimit: 15_000, least: 3 },
])(
  "no plan of $runs small programs is better than the one found, with a limit of memory or without",
  ({ programs, runs, planLimit, least }) => {
    const seen = { forward: 0, trained: 0, placed: 0, limited: 0, impossible: 0 };
    const check = (given: SmallProgram) => {
      const network = networkOf(requestOf(textOf(given)));
      fc.pre(countOf(network) <= planLimit);
      const weights = Array.from(allPlans(network), (plan) => evaluate(network, plan));
      const bytes = weights.map((weight) => weight.bytes).sort((a, b) => a - b);
      const [leanest = 0, middle = 0] = [bytes[0], bytes[Math.floor(bytes.length / 50)]];
      for (const limit of [undefined, middle, leanest, leanest - 1]) {
        const kind = checkWithin(network, limit, weights);
        if (kind === "too-large") seen.impossible += 1;
        else if (limit !== undefined) seen.limited += 1;
      }
      seen[given.trains ? "trained" : "forward"] += 1;
      if (given.placed !== null) seen.placed += 1;
    };
    fc.assert(fc.property(programs, check), { seed: 7, numRuns: runs * factor });
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(least);
  },
);

/** Expects the plan found within a limit to be the best of all plans. */
function checkWithin(network: Network, limit: number | undefined, weights: readonly Weight[]) {
  const best = weights
    .filter(({ bytes }) => limit === undefined || bytes <= limit)
    .reduce((least, { seconds }) => Math.min(least, seconds), Number.POSITIVE_INFINITY);
  const outcome = solve(network, limit);
  if (outcome.kind === "found") {
    expect(outcome.found.seconds).toBeCloseTo(best, 15);
    expect(outcome.found.bound).toBeCloseTo(best, 15);
  } else if (outcome.kind === "too-large") {
    expect(best).toBe(Number.POSITIVE_INFINITY);
    expect(outcome.least.bytes).toBe(Math.min(...weights.map(({ bytes }) => bytes)));
  }
  return outcome.kind;
}
