import { expect, test } from "vitest";
import { examples, models } from "#app/examples";
import { exampleText } from "#app/first-example";
import { galleryDrawing } from "#app/scene";
import type { Contributor } from "#app/scene/text";
import { type Compiled, compile } from "#compile";
import { searchPlan } from "../app/engine/plan-search.ts";

/**
 * The gain of a search for an example, in per cent as its card states it; `undefined` without a
 * plan, and for a plan that sends nothing: a toy that is too small to split tells nothing about its
 * plan.
 */
function gainOf(text: string): number | "hardly" | undefined {
  const answer = searchPlan({ source: text }, () => {});
  if (answer.kind !== "planned" || answer.source === undefined) return undefined;
  const { before, seconds, bound } = answer;
  expect(seconds).toBeLessThanOrEqual(before * (1 + 1e-9));
  // The time of a step is that of a schedule; its distance from the sum of costs is part of the
  // gap.
  expect(bound).toBeGreaterThan(0);
  expect(bound).toBeLessThanOrEqual(seconds);
  if (seconds > before * (1 - leastSaid)) return 0;
  const percent = rounded(100 * (1 - seconds / before));
  const { cost } = compile(answer.source);
  return cost.communicationSeconds === 0 ? undefined : percent;
}

/** The smallest gain worth stating. */
const leastSaid = 1e-3;

/** Rounds down to whole per cents, below one to tenths, so that no gain is overstated. */
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
  expect(found.length).toBeGreaterThan(8);
});

/**
 * The figures of a plan on its card; times and bytes to four digits, so that they tell plans apart.
 */
function figuresOf({ cost, memory }: Compiled) {
  const { seconds, exposedSeconds } = cost;
  const figures = { seconds, exposedSeconds, memoryBytes: memory.peakBytes };
  return Object.fromEntries(
    Object.entries(figures).map(([name, value]) => [name, Number(value.toPrecision(4))]),
  );
}

const countOf = ({ collective, axes, count }: Contributor) => ({ collective, axes, count });

/** A model's own plan, and beside it the plan found for it, if its step is shorter. */
function comparisonOf(text: string) {
  const hand = compile(text);
  const { mesh, deviceCount, contributors, bytes } = galleryDrawing(hand);
  const facts = {
    mesh,
    deviceCount,
    contributors: contributors.map(countOf),
    bytes: Math.round(bytes),
  };
  const answer = searchPlan({ source: text }, () => {});
  if (answer.kind !== "planned") throw new Error(`no plan is found: ${answer.kind}`);
  const planned = compile(answer.source ?? text);
  const room = hand.hardware.memoryBytes;
  expect(planned.memory.peakBytes).toBeLessThanOrEqual(room);
  const isShorter = planned.cost.seconds < hand.cost.seconds * (1 - leastSaid);
  const beside = isShorter && { planned: figuresOf(planned) };
  return { memoryBytes: room, ...facts, hand: figuresOf(hand), ...beside };
}

test("a card of a model says what its own plan and the planner's take", async () => {
  const found = models.map((model) => [model.name, comparisonOf(exampleText(model))]);
  const text = `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../app/ui/gallery/model-figures.json");
}, 180_000);
