import { createElement } from "react";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { exampleText, firstExample } from "#app/first-example";
import type { Metric } from "#app/scene/text";
import { timelineOf } from "#app/scene/timeline";
import { compile } from "#compile";
import { PartsTable } from "./compare/PartsTable.tsx";
import { PlansTable } from "./compare/PlansTable.tsx";
import { createPanelPage, tableLines } from "./panel.testing.ts";
import { DeviceTable } from "./side/DeviceTable.tsx";
import { ItemsTable } from "./timeline/ItemsTable.tsx";
import { TimelineTable } from "./timeline/TimelineTable.tsx";

// The page's hooks have no snapshot for a server, and a test renders as a server does.
vi.mock("react", async (original) => ({
  ...(await original<typeof import("react")>()),
  useSyncExternalStore: <T>(_listen: unknown, answer: () => T) => answer(),
}));

let isNarrow = false;
vi.stubGlobal("matchMedia", () => ({ matches: isNarrow }));

afterEach(() => {
  isNarrow = false;
});
afterAll(() => {
  vi.unstubAllGlobals();
});

// Two products on 2 × 2 devices; h is cut over both axes and gathered along mp before y.
const compiled = compile(exampleText(firstExample));
const baseline = {
  name: "whole",
  compiled: compile(compiled.source.replace(/strategy.*\n/g, "")),
};
const draw = createPanelPage();
const drawBesideWhole = createPanelPage((store) =>
  store.setState({ baselines: [baseline], baseline }),
);

test("the lanes of a step, and what lies on them in a stretch", () => {
  const { timeline } = timelineOf(compiled);
  if (timeline === undefined) throw new Error("the example has a schedule");
  const stretch = { from: 0, to: compiled.cost.seconds };
  expect(tableLines(draw(createElement(TimelineTable, { timeline, stretch })))).toEqual([
    "The lanes of one step",
    "lane | what | how many | time",
    "compute | forward | 2 | 47.1 µs",
    "compute | exposed | 1 | 11.5 µs",
    "links | axis-2 | 1 | 11.5 µs",
    "0 s to 58.6 µs",
    "lane | what | begins | time",
    "compute | h | 0 s | 16.6 µs",
    "compute | waits for all-gather mp of h | 16.6 µs | 11.5 µs",
    "compute | y | 28.1 µs | 30.5 µs",
    "links | all-gather mp of h | 16.6 µs | 11.5 µs",
  ]);
});

test("all that a step computes, sends and holds; on a phone the figure that it is sorted by", () => {
  const lines = () => tableLines(draw(createElement(ItemsTable, { compiled, by: "time" })));
  expect(lines()).toEqual([
    "layers as one | time | exposed | bytes | memory | operations | share",
    "project y | 30.5 µs |  |  |  | 2.15 GFLOP | 52.1 %",
    "project h | 16.6 µs |  |  | 3.15 MB | 1.07 GFLOP | 28.3 %",
    "all-gather mp the model | 11.5 µs | 11.5 µs | 1.05 MB |  |  | 19.6 %",
  ]);
  isNarrow = true;
  expect(lines().slice(0, 2)).toEqual([
    "layers as one | time | share",
    "project y | 30.5 µs | 52.1 %",
  ]);
});

test.each<[Metric, readonly string[]]>([
  ["comm", ["sent | per device", "all-gather mp of h | 1.05 MB"]],
  [
    "memory",
    [
      "alive when most is | per device",
      ...["w2 | 8.39 MB", "w1 | 4.19 MB", "h | 3.15 MB", "x | 524 kB"],
    ],
  ],
  [
    "time",
    [
      "computed and sent | time, model",
      ...["y = project(h, w2) | 30.5 µs", "h = project(x, w1) | 16.6 µs"],
      "all-gather mp of h | 11.5 µs",
    ],
  ],
])("what %s is made of", (metric, lines) => {
  expect(tableLines(draw(createElement(PartsTable, { compiled, metric })))).toEqual(lines);
});

test("what time is made of beside another plan, what changed most first", () => {
  const parts = createElement(PartsTable, { compiled, metric: "time" });
  expect(tableLines(drawBesideWhole(parts))).toEqual([
    "computed and sent | A | now | Δ A",
    "h = project(x, w1) | 38.8 µs | 16.6 µs | −22.2 µs",
    "y = project(h, w2) | 45.3 µs | 30.5 µs | −14.8 µs",
    "all-gather mp of h | 0 s | 11.5 µs | +11.5 µs",
  ]);
});

test("a plan beside another one", () => {
  expect(tableLines(draw(createElement(PlansTable, { compiled })))).toEqual([]);
  expect(tableLines(drawBesideWhole(createElement(PlansTable, { compiled })))).toEqual([
    "plan | memory | comm | time | what to do with it",
    "A whole, changes count from it | 23.1 MB | 0 B | 84.1 µs | ",
    "now | 16.3 MB | 1.05 MB | 58.6 µs | ",
    "Δ | −6.82 MB | +1.05 MB | −25.5 µs | ",
  ]);
});

test("what each device holds of a tensor", () => {
  const tensor = compiled.graph.tensors.find(({ name }) => name === "h");
  const view = compiled.tensors.find((each) => each.tensor === tensor?.id);
  if (tensor === undefined || view === undefined) throw new Error("the example has h");
  const { layout, held } = view;
  const given = { tensor, layout, held, unverified: undefined, halos: undefined };
  expect(tableLines(draw(createElement(DeviceTable, given)))).toEqual([
    "h on every device",
    "device | b | f | state",
    "0 | 0…255 | 0…2047 | only copy",
    "1 | 0…255 | 2048…4095 | only copy",
    "2 | 256…511 | 0…2047 | only copy",
    "3 | 256…511 | 2048…4095 | only copy",
  ]);
});
