import fc from "fast-check";
import { expect, test } from "vitest";
import type { CanvasEdge, CanvasLayout, CanvasNode } from "./canvas.ts";
import { twoMatmuls } from "./fixture.testing.ts";
import { flowOf } from "./flow.ts";
import { layoutGraph } from "./layout-graph.ts";
import { runs } from "./layouts.testing.ts";
import { listOf } from "./list.ts";
import type { Point, Rect } from "./mark.ts";
import { type Sketch, type SketchedOperator, sketched } from "./program.testing.ts";

/** Any program: operators read what stands before them, some values redistributed. */
const sketches: fc.Arbitrary<Sketch> = fc
  .record({
    inputs: fc.integer({ min: 0, max: 3 }),
    parameters: fc.integer({ min: 0, max: 4 }),
    operators: fc.array(
      fc.record({
        reads: fc.array(fc.tuple(fc.nat(40), fc.nat(2)), { minLength: 1, maxLength: 4 }),
        reducesInside: fc.boolean(),
      }),
      { maxLength: 12 },
    ),
    hasEnd: fc.boolean(),
  })
  .map(({ inputs, parameters, operators, hasEnd }) => {
    const names = (count: number, letter: string) =>
      Array.from({ length: count }, (_, at) => `${letter}${at}`);
    const given = [
      ...names(Math.max(inputs, parameters === 0 ? 1 : 0), "x"),
      ...names(parameters, "w"),
    ];
    const made: SketchedOperator[] = operators.map(({ reads, reducesInside }, at) => {
      const there = [...given, ...names(at, "h")];
      const texts = reads.map(
        ([place, moves]) =>
          `${there[there.length - 1 - (place % there.length)]}${"!".repeat(moves)}`,
      );
      return { name: `h${at}`, reads: texts, reducesInside };
    });
    const last = made.at(-1)?.name;
    return {
      inputs: given.filter((name) => name.startsWith("x")),
      parameters: given.filter((name) => name.startsWith("w")),
      operators: made,
      ends: hasEnd && last !== undefined ? [last] : [],
    };
  });

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

test("boxes never overlap and lie on the canvas", () => {
  fc.assert(
    fc.property(sketches, (sketch) => {
      const layout = layoutGraph(sketched(sketch));
      const page = { x: 0, y: 0, width: layout.width, height: layout.height };
      const outside = layout.nodes.filter((box) => !isWithin(box, page));
      const overlapping = layout.nodes.flatMap((one, at) =>
        layout.nodes
          .slice(at + 1)
          .flatMap((other) => (meet(one, other) ? [[one.id, other.id]] : [])),
      );
      expect({ outside, overlapping }).toEqual({ outside: [], overlapping: [] });
    }),
    runs(120),
  );
});

test("lines are orthogonal, end at their boxes and cross no other box", () => {
  fc.assert(
    fc.property(sketches, (sketch) => {
      const { nodes, edges } = layoutGraph(sketched(sketch));
      const byId = new Map(nodes.map((box) => [box.id, box]));
      const loose = edges.filter(
        ({ from, to, points }) =>
          !touches(byId.get(from), points[0]) || !touches(byId.get(to), points.at(-1)),
      );
      const wrong = edges.flatMap((edge) =>
        segmentsOf(edge).flatMap((segment) => {
          const isSlanted = segment.width > 0 && segment.height > 0;
          const crossed = nodes
            .filter(({ id }) => id !== edge.from && id !== edge.to)
            .filter((box) => meet(box, segment));
          return isSlanted || crossed.length > 0 ? [[edge.id, crossed.map(({ id }) => id)]] : [];
        }),
      );
      expect({ loose, wrong }).toEqual({ loose: [], wrong: [] });
    }),
    runs(120),
  );
});

test("lines of different values never run on top of each other", () => {
  fc.assert(
    fc.property(sketches, (sketch) => {
      const { edges } = layoutGraph(sketched(sketch));
      const segments = edges.flatMap((edge) =>
        segmentsOf(edge).map((segment) => ({ edge, segment })),
      );
      const shared = segments.flatMap(({ edge, segment }, at) =>
        segments
          .slice(at + 1)
          .filter((other) => other.edge.from !== edge.from)
          .filter((other) => sharedLength(segment, other.segment) >= 1)
          .map((other) => [edge.id, other.edge.id]),
      );
      expect(shared).toEqual([]);
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
      const placeOf = new Map(rows.map((row, at) => [row.id, at]));
      compiled.graph.operators.forEach((operator) => {
        for (const { tensor } of operator.inputs) {
          const made = placeOf.get(`tensor-${tensor}`) ?? placeOf.get(`operator-${tensor}`) ?? -1;
          expect(made).toBeLessThan(placeOf.get(`operator-${operator.id}`) ?? -1);
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

function meet(a: Rect, b: Rect): boolean {
  const slack = 0.01;
  return (
    a.x + slack < b.x + b.width &&
    b.x + slack < a.x + a.width &&
    a.y + slack < b.y + b.height &&
    b.y + slack < a.y + a.height
  );
}

function isWithin(box: Rect, page: Rect): boolean {
  return (
    box.x >= page.x &&
    box.y >= page.y &&
    box.x + box.width <= page.width &&
    box.y + box.height <= page.height
  );
}

function touches(box: Rect | undefined, point: Point | undefined): boolean {
  if (box === undefined || point === undefined) return false;
  const { x, y, width, height } = box;
  const inside =
    point.x >= x - 1 && point.x <= x + width + 1 && point.y >= y - 1 && point.y <= y + height + 1;
  const isDeep =
    point.x > x + 1 && point.x < x + width - 1 && point.y > y + 1 && point.y < y + height - 1;
  return inside && !isDeep;
}

function segmentsOf({ points }: CanvasEdge): readonly Rect[] {
  return points.slice(1).map((to, at) => {
    const from = points[at] ?? to;
    return {
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      width: Math.abs(from.x - to.x),
      height: Math.abs(from.y - to.y),
    };
  });
}

/** How long two segments run on the same line together; crossings count nothing. */
function sharedLength(a: Rect, b: Rect): number {
  const overlap = (from: number, length: number, other: number, otherLength: number) =>
    Math.min(from + length, other + otherLength) - Math.max(from, other);
  const isDown = a.width === 0 && b.width === 0 && Math.abs(a.x - b.x) < 1;
  if (isDown) return overlap(a.y, a.height, b.y, b.height);
  const isAcross = a.height === 0 && b.height === 0 && Math.abs(a.y - b.y) < 1;
  return isAcross ? overlap(a.x, a.width, b.x, b.width) : 0;
}
