import fc from "fast-check";
import { expect, test } from "vitest";
import type { Rect } from "#app/scene";
import { createWindow, layoutGraph } from "#app/scene/graph";
import { compile } from "#compile";
import { createLookup } from "./lookup.ts";
import { nearFirst, type Version, wholeVersion } from "./near-first.ts";

/** Chain of matmuls, each split as one letter says, some of them with redistributions. */
function versionOf(splits: string): Version {
  const layers = [...splits].flatMap((split, at) => [
    `h${at + 1} = matmul(h${at}, Parameter((64, 64)))`,
    split === "r" ? "" : `strategy(h${at + 1}, m="dp", ${split}="mp")`,
  ]);
  const compiled = compile(
    ["mesh = Mesh(dp=2, mp=2)", "h0 = Tensor((64, 64))", ...layers].join("\n"),
  );
  const layout = layoutGraph(compiled);
  const { nodes, edges } = layout;
  const index = createWindow(layout);
  return { nodes, edges, index, lookup: createLookup()(compiled), lightOf: () => undefined };
}

const splits = fc.string({
  unit: fc.constantFrom("n", "k", "r"),
  minLength: 6,
  maxLength: 9,
});

const views = fc.record({
  x: fc.integer({ min: -200, max: 600 }),
  y: fc.integer({ min: -200, max: 900 }),
  width: fc.integer({ min: 1, max: 900 }),
  height: fc.integer({ min: 1, max: 600 }),
});

const meets = (a: Rect, b: Rect) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

test("what is in sight is all new and nothing else is seen", () => {
  const holds = fc.property(splits, splits, views, (had, said, sight) => {
    const [before, now] = [versionOf(had), versionOf(said)];
    const shown = nearFirst(now, before, sight);
    const seen = shown.boxes.filter(({ node }) => meets(node, sight));
    expect(seen.map(({ node }) => node)).toEqual(now.nodes.filter((node) => meets(node, sight)));
    expect(seen.every(({ version }) => version === now)).toBe(true);
    expect(shown.edges).toEqual(expect.arrayContaining([...now.index.edgesIn(sight)]));
    const lines = new Set(now.edges);
    const old = new Set(before.index.edgesIn(sight));
    expect(shown.edges.filter((edge) => old.has(edge) && !lines.has(edge))).toEqual([]);
  });
  fc.assert(holds, { seed: 1, numRuns: process.env.SOAK ? 2_000 : 12 });
});

test("nothing is drawn twice, in the order of the new version", () => {
  const holds = fc.property(splits, splits, views, (had, said, sight) => {
    const [before, now] = [versionOf(had), versionOf(said)];
    const { boxes } = nearFirst(now, before, sight);
    const order = new Map(now.nodes.map(({ id }, at) => [id, at]));
    const places = boxes.map(({ node }) => order.get(node.id) ?? -1);
    expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
    expect(places).not.toContain(-1);
  });
  fc.assert(holds, { seed: 2, numRuns: process.env.SOAK ? 2_000 : 12 });
});

test("a version that came whole is shown whole, and where all is in sight, the new one", () => {
  const [before, now] = [versionOf("nknknk"), versionOf("nkkknk")];
  const everything = { x: -1e4, y: -1e4, width: 2e4, height: 2e4 };
  expect(nearFirst(now, before, everything)).toEqual(wholeVersion(now));
});
