import fc from "fast-check";
import { expect, test } from "vitest";
import { twoMatmuls } from "../fixture.testing.ts";
import { type Sketch, sketched } from "../program.testing.ts";
import type { CanvasLayout, CanvasNode } from "./canvas.ts";
import { flowOf } from "./flow.ts";
import { layoutFaults } from "./layout-faults.testing.ts";
import { layoutGraph } from "./layout-graph.ts";
import { runs } from "./layouts.testing.ts";
import { listOf } from "./list.ts";
import { sketches } from "./sketches.testing.ts";

const chain: Sketch = {
  inputs: ["x"],
  parameters: ["w1", "w2"],
  operators: [
    { name: "h", reads: ["x", "w1"] },
    { name: "y", reads: ["h!", "w2!"] },
    { name: "z", reads: ["x", "y"] },
  ],
};

function boxes(layout: CanvasLayout): readonly CanvasNode[] {
  return layout.nodes;
}

function node(layout: CanvasLayout, id: string): CanvasNode {
  const found = boxes(layout).find((each) => each.id === id);
  if (found === undefined) throw new Error(`no box ${id}`);
  return found;
}

test("boxes never overlap, lines cross no box and do not run on top of each other", () => {
  fc.assert(
    fc.property(sketches, (sketch) => {
      expect(layoutFaults(layoutGraph(sketched(sketch)))).toEqual([]);
    }),
    runs(160),
  );
});

test("cards of equal depth stand side by side", () => {
  fc.assert(
    fc.property(sketches, (sketch) => {
      const compiled = sketched(sketch);
      const layout = layoutGraph(compiled);
      if (layout.nodes.some(({ kind }) => kind === "stack")) return;
      const depths = new Map<string, number>();
      const heights = new Map<number, number[]>();
      for (const { id, inputs } of compiled.graph.operators) {
        const depth = Math.max(0, ...inputs.map(({ tensor }) => (depths.get(tensor) ?? -1) + 1));
        depths.set(id, depth);
        const { y } = node(layout, `operator-${id}`);
        heights.set(depth, [...(heights.get(depth) ?? []), y]);
      }
      for (const each of heights.values()) {
        expect(new Set(each).size).toBe(Math.ceil(each.length / 4));
      }
    }),
    runs(80),
  );
});

test("every flow of a value has a line, every thing a box, each once", () => {
  fc.assert(
    fc.property(sketches, (sketch) => {
      const compiled = sketched(sketch);
      const layout = layoutGraph(compiled);
      const ids = layout.nodes.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect(new Set(layout.edges.map(({ id }) => id)).size).toBe(layout.edges.length);
      for (const tensor of compiled.graph.tensors) expect(ids).toContain(`tensor-${tensor.id}`);
      for (const { index } of compiled.program.redistributions)
        expect(ids).toContain(`redist-${index}`);
      for (const { to } of flowOf(compiled).edges) {
        if (to.kind !== "card") continue;
        const id = `operator-${compiled.graph.operators[to.row]?.id}`;
        expect(layout.edges.some((edge) => edge.to === id)).toBe(true);
      }
    }),
    runs(120),
  );
});

test("the list holds everything once, in an order in which nothing is used before it is there", () => {
  fc.assert(
    fc.property(sketches, (sketch) => {
      const compiled = sketched(sketch);
      const rows = listOf(compiled);
      const given = compiled.graph.tensors.filter((tensor) => tensor.producer === undefined);
      expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
      const { length: moves } = compiled.program.redistributions;
      expect(rows).toHaveLength(given.length + compiled.graph.operators.length + moves);
      const indexOfRow = new Map(rows.map((row, at) => [row.id, at]));
      compiled.graph.operators.forEach((operator) => {
        for (const { tensor } of operator.inputs) {
          const made =
            indexOfRow.get(`tensor-${tensor}`) ?? indexOfRow.get(`operator-${tensor}`) ?? -1;
          expect(made).toBeLessThan(indexOfRow.get(`operator-${operator.id}`) ?? -1);
        }
      });
    }),
    runs(120),
  );
});

test("two matmuls stand in one column with the gather between them", () => {
  const layout = layoutGraph(twoMatmuls);
  const column = ["tensor-x", "operator-h", "redist-0", "operator-y"].map((id) => node(layout, id));
  const middles = column.map(({ x, width }) => x + width / 2);
  expect(new Set(middles).size).toBe(1);
  expect(column.map(({ y }) => y)).toEqual(column.map(({ y }) => y).sort((a, b) => a - b));
  expect(node(layout, "operator-h")).toMatchObject({ width: 300, height: 56 });
  expect(node(layout, "tensor-w1").x).toBeLessThan(node(layout, "operator-h").x);
  expect(node(layout, "tensor-h").x).toBeGreaterThan(node(layout, "operator-h").x + 300);
  expect(layout.edges.map(({ from, to }) => `${from} ${to}`)).toEqual([
    "tensor-x operator-h",
    "operator-h redist-0",
    "redist-0 operator-y",
    "tensor-w1 operator-h",
    "tensor-w2 operator-y",
    "operator-h tensor-h",
    "operator-y tensor-y",
  ]);
});

test("the redistribution of a parameter hangs below it, without numbers", () => {
  const layout = layoutGraph(sketched(chain));
  const [parameter, badge] = [node(layout, "tensor-w2"), node(layout, "redist-1")];
  expect(badge.y).toBeGreaterThanOrEqual(parameter.y + parameter.height);
  expect(badge.kind === "redistribution" && badge.isShort).toBe(true);
});

test("a value that is used farther away runs through a lane at the left of everything", () => {
  const layout = layoutGraph(sketched(chain));
  const skip = layout.edges.find(({ from, to }) => from === "tensor-x" && to === "operator-z");
  const left = Math.min(...layout.nodes.map(({ x }) => x));
  expect(Math.min(...(skip?.points ?? []).map(({ x }) => x))).toBeLessThan(left);
});

test("with cards side by side it goes down where there is room, on its own side of the drawing", () => {
  const operators = [
    { name: "a", reads: ["x"] },
    { name: "b", reads: ["x"] },
    { name: "c", reads: ["a"] },
    { name: "d", reads: ["c"] },
    { name: "e", reads: ["d", "b"] },
  ];
  const layout = layoutGraph(sketched({ inputs: ["x"], parameters: [], operators }));
  const far = layout.edges.find(({ from, to }) => from === "operator-b" && to === "operator-e");
  const [b, e] = [node(layout, "operator-b"), node(layout, "operator-e")];
  const least = Math.min(b.x, e.x);
  for (const { x } of far?.points ?? [{ x: 0 }]) expect(x).toBeGreaterThanOrEqual(least);
});

test("a redistribution for one branch alone stands right above its card", () => {
  const operators = [
    { name: "a", reads: ["x"] },
    { name: "b", reads: ["x!"] },
    { name: "c", reads: ["x!!"] },
  ];
  const layout = layoutGraph(sketched({ inputs: ["x"], parameters: [], operators }));
  const badges = ["redist-0", "redist-1"].map((id) => node(layout, id));
  for (const [at, id] of ["operator-b", "operator-c"].entries()) {
    const [badge, card] = [badges[at], node(layout, id)];
    expect(badge && badge.x + badge.width).toBeGreaterThan(card.x);
    expect(badge?.x).toBeLessThan(card.x + card.width);
    expect(badge?.y).toBeLessThan(card.y);
  }
});

test("an output that has to be added up ends in a card of its own", () => {
  const layout = layoutGraph(sketched({ ...chain, ends: ["z"] }));
  const end = layout.nodes.find((each) => each.kind === "output");
  expect(end?.y).toBeGreaterThan(node(layout, "operator-z").y);
});

test("without operators the tensors stand alone, and without anything the canvas is empty", () => {
  const alone = layoutGraph(sketched({ inputs: ["x"], parameters: ["w"], operators: [] }));
  expect(alone.nodes.map(({ id }) => id)).toEqual(["tensor-x", "tensor-w"]);
  expect(layoutGraph(sketched({ inputs: [], parameters: [], operators: [] })).nodes).toEqual([]);
});
