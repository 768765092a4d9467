import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { compile } from "#compile";
import { searchPlan } from "../app/engine/plan-search.ts";
import { plannedGains } from "../app/ui/gallery/planned-gains.ts";

/** What a search finds for an example, as `plannedGains` says it; `undefined` where there is none. */
function gainOf(text: string): (typeof plannedGains)[string] | undefined {
  const answer = searchPlan({ source: text }, () => {});
  if (answer.kind !== "planned" || answer.source === undefined) return undefined;
  const { before, seconds, bound } = answer;
  expect(seconds).toBeLessThanOrEqual(before * (1 + 1e-9));
  expect(bound).toBeGreaterThanOrEqual(seconds * (1 - 1e-9));
  if (seconds > before * (1 - leastSaid)) return 0;
  const percent = rounded(100 * (1 - seconds / before));
  const { plan, cost } = compile(answer.source);
  const isUncut = [...plan.operators.values()].every(({ strategy }) =>
    Object.values(strategy.cuts).every((parts) => parts.length === 0),
  );
  if (isUncut) return "uncut";
  return cost.communicationSeconds === 0 ? "silent" : percent;
}

/** A smaller gain is none that is worth a word. */
const leastSaid = 1e-3;

/** Down to whole per cents, below one to tenths: nothing is said to gain more than it does. */
function rounded(percent: number): number {
  const steps = percent < 1 ? 10 : 1;
  const found = Math.floor(percent * steps) / steps;
  if (found === 0) throw new Error("too little to say");
  return found;
}

test("the plan of every example is met or beaten, proven, and by as much as its card says", () => {
  const found = examples.flatMap((example) => {
    const gain = gainOf(exampleText(example));
    return gain === undefined ? [] : [[example.name, gain] as const];
  });
  expect(plannedGains).toEqual(Object.fromEntries(found));
  expect(found.length).toBeGreaterThan(20);
});
