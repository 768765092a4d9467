import { expect, test } from "vitest";
import { createMesh, type Layout, parseLayout } from "#core/mesh";
import { digitSpaceOf } from "./digit-layout.ts";
import { digitMoves, digitSlices } from "./digit-moves.ts";
import { fullBudget, searchDigitLayouts } from "./digit-search.ts";
import { planReshard } from "./index.ts";

/** Axes of two devices each, and a dim that all of them cut, in mesh order or in reverse. */
function binary(count: number) {
  const axes = Array.from({ length: count }, (_, at) => ({ name: `a${at}`, size: 2 }));
  const mesh = createMesh(axes);
  if (!mesh.ok) throw new Error(mesh.diagnostics[0]?.message);
  const names = axes.map(({ name }) => name);
  const layout = (text: string): Layout => {
    const read = parseLayout(text, mesh.value);
    if (!read.ok) throw new Error(read.diagnostics[0]?.message);
    return read.value;
  };
  const radices = new Map(names.map((name) => [name, [2]]));
  return { layout, radices, all: names.join("*"), back: names.toReversed().join("*"), names };
}

test("an exchange of millions of messages gives way to a gather, and the plan says so", () => {
  const { layout, all, back } = binary(12);
  const plan = planReshard(layout(`${all},_`), layout(`_,${back}`), [5003, 7001]);
  expect(plan.limit).toBe("bound");
  expect(plan.steps.map(({ collective }) => collective)).toEqual(["all-gather", "slice"]);
  expect(plan.exact).toBe(false);
  expect(plan.gap).toBeCloseTo(plan.elements / plan.lowerBound - 1);
});

test("a wanted exchange that is too large is left out, and the plan says so", () => {
  const { layout, all, back } = binary(12);
  const from = layout(`${all},_`);
  const { limit } = planReshard(from, layout(`_,${back}`), [5003, 7001], { exchange: true });
  expect(limit).toBe("bound");
});

test("a small one is listed whole", () => {
  const { layout, all, back } = binary(3);
  const plan = planReshard(layout(`${all},_`), layout(`_,${back}`), [13, 11]);
  expect(plan.limit).toBeUndefined();
});

test("of the moves of many axes only those that are asked for are made", () => {
  const { layout, radices, all, names } = binary(16);
  const whole = layout(`_,_|${names.join(",")}`);
  const space = digitSpaceOf(whole, layout(`_,${all}`), [100_003, 70_001], radices);
  if (space === undefined) throw new Error("no common pieces");
  expect(digitMoves(space, space.source).next().value).toMatchObject({ collective: "all-reduce" });
  const idle = { dims: [[], []], partials: 0 };
  expect(digitSlices(space, idle).next().value).toEqual({ dims: [[0], []], partials: 0 });
});

test("an uneven cut by sixteen axes ends within what a search may count, with its gap", () => {
  const { layout, all, back } = binary(16);
  const plan = planReshard(layout(`${all},_`), layout(`_,${back}`), [100_003, 70_001]);
  expect(plan.lowerBound).toBe(200_006);
  expect(plan.gap).toBeCloseTo(plan.elements / plan.lowerBound - 1);
});

test("where a slice is enough, no layout beyond it is looked at", () => {
  const { layout } = binary(8);
  const budget = fullBudget();
  const routes = searchDigitLayouts(layout("_,_"), layout("a0*a1*a2,_"), [5, 8], 40, {}, budget);
  expect(routes.map((route) => route.map(({ collective }) => collective))).toEqual([["slice"]]);
  expect(budget.left).toBe(fullBudget().left);
  expect(fullBudget().slices - budget.slices).toBeLessThan(500);
});
