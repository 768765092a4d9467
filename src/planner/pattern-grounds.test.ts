import { describe, expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { compileDocument } from "#compile";
import { readDocument } from "#systems";
import { groundsOf } from "./pattern-grounds.ts";
import { patternsOf } from "./patterns.ts";

function planOf(name: string) {
  const example = examples.find((each) => each.name === name);
  if (example === undefined) throw new Error(`no example ${name}`);
  const document = readDocument(exampleText(example));
  const { graph, mesh, plan } = compileDocument(document);
  return {
    graph,
    mesh: mesh.mesh,
    strategies: new Map([...plan.operators].map(([id, { strategy }]) => [id, strategy])),
    rest: new Map([...plan.placements].map(([id, { layout }]) => [id, layout])),
    ...(document.training !== undefined && { zero: document.training.zero }),
  };
}

function groundsIn(name: string) {
  const plan = planOf(name);
  return patternsOf(plan).map((pattern) => groundsOf(pattern, plan));
}

test("a pair of products is told by its columns and rows", () => {
  expect(groundsIn("megatron-mlp").map(({ text }) => text)).toEqual([
    "tp cuts the columns of the weights of h; tp cuts what is summed in y; what columns make is read by rows as it lies, so that only sums are exchanged",
  ]);
});

test("pieces of weights at rest are told apart from whole ones", () => {
  expect(groundsIn("fsdp")[0]?.text).toContain("the weights lie in pieces too");
  expect(groundsIn("data-parallel")[0]?.text).toContain("the weights lie whole on every device");
});

describe.each(examples.map(({ name }) => name))("%s", (name) => {
  test("every operator of a pattern is cut by an axis of it, and every fact names one", () => {
    const plan = planOf(name);
    for (const pattern of patternsOf(plan)) {
      const { text, parts } = groundsOf(pattern, plan);
      expect(parts.length).toBeGreaterThan(0);
      for (const { operator, text: part } of parts) {
        const cuts = Object.values(plan.strategies.get(operator)?.cuts ?? {}).flat();
        const axes = cuts.flatMap((each) => (each.kind === "axis" ? [each.axis] : []));
        const named = part.split(" over ").at(-1)?.split(", ") ?? [];
        expect(pattern.axes).toEqual(expect.arrayContaining(named));
        expect(axes).toEqual(expect.arrayContaining(named));
      }
      expect(pattern.axes.some((axis) => new RegExp(`${axis}(, \\w+)* cuts? `).test(text))).toBe(
        true,
      );
    }
  });
});
