import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { compile } from "#compile";
import { searchPlan } from "../app/engine/plan-search.ts";

/** What a search finds for an example, as its card says it; `undefined` where there is none. */
function gainOf(text: string): number | "uncut" | "silent" | "hardly" | undefined {
  const answer = searchPlan({ source: text }, () => {});
  if (answer.kind !== "planned" || answer.source === undefined) return undefined;
  const { before, seconds, bound } = answer;
  expect(seconds).toBeLessThanOrEqual(before * (1 + 1e-9));
  // A step is a schedule, perhaps of the host: what it differs by from a sum is part of the gap.
  expect(bound).toBeGreaterThan(0);
  expect(bound).toBeLessThanOrEqual(seconds);
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
function rounded(percent: number): number | "hardly" {
  const steps = percent < 1 ? 10 : 1;
  return Math.floor(percent * steps) / steps || "hardly";
}

test("the plan of every example is met or beaten, with a bound, and by as much as its card says", async () => {
  const found = examples.flatMap((example) => {
    const gain = gainOf(exampleText(example));
    return gain === undefined ? [] : [[example.name, gain] as const];
  });
  const text = `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../app/ui/gallery/planned-gains.json");
  expect(found.length).toBeGreaterThan(20);
});
