import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { randomTrainingStep } from "../../../../execute/verify/random-program.testing.ts";
import { type CanvasLayout, type CanvasNode, forwardOnly } from "../canvas.ts";
import { foldedRunOf } from "../canvas-folded.ts";
import { flowOf } from "../flow.ts";
import { layoutFaults } from "../layout-faults.testing.ts";
import { layoutGraph } from "../layout-graph.ts";
import { runs } from "../layouts.testing.ts";
import { listOf } from "../list.ts";
import { trainingCounterparts } from "./training-counterparts.ts";
import { trainingFlowOf } from "./training-flow.ts";
import { compiledTraining } from "./training-programs.testing.ts";

const anyStep = fc.integer({ min: 1, max: 100_000 }).map(randomTrainingStep).map(compiledTraining);

function idsOf({ nodes }: CanvasLayout): ReadonlySet<string> {
  return new Set(nodes.map(({ id }) => id));
}

function node({ nodes }: CanvasLayout, id: string): CanvasNode {
  const found = nodes.find((each) => each.id === id);
  if (found === undefined) throw new Error(`no box ${id}`);
  return found;
}

test("of any training step boxes never overlap, lines cross no box and keep apart", () => {
  fc.assert(
    fc.property(anyStep, (compiled) => {
      expect(layoutFaults(layoutGraph(compiled))).toEqual([]);
    }),
    runs(10),
  );
});

/** How far a point is from a box, in CSS pixels. */
function distanceTo({ x, y, width, height }: CanvasNode, at: { x: number; y: number }): number {
  return Math.hypot(
    Math.max(x - at.x, 0, at.x - x - width),
    Math.max(y - at.y, 0, at.y - y - height),
  );
}

test("in the lane a redistribution is hit with nothing else within 12 px, at half size too", () => {
  fc.assert(
    fc.property(anyStep, (compiled) => {
      const { nodes, heads } = layoutGraph(compiled);
      const lane = heads[1]?.x ?? Number.POSITIVE_INFINITY;
      for (const badge of nodes) {
        if (badge.kind !== "redistribution" || badge.x < lane) continue;
        const { x, y, width, height } = badge;
        const middle = { x: x + width / 2, y: y + height / 2 };
        for (const other of nodes) {
          if (other !== badge) expect(distanceTo(other, middle)).toBeGreaterThanOrEqual(24);
        }
      }
    }),
    runs(10),
  );
});

test("every operator, gradient and state of any training step has one box, every redistribution one badge", () => {
  fc.assert(
    fc.property(anyStep, (compiled) => {
      const layout = layoutGraph(compiled);
      const ids = idsOf(layout);
      expect(ids.size).toBe(layout.nodes.length);
      expect(new Set(layout.edges.map(({ id }) => id)).size).toBe(layout.edges.length);
      if (layout.nodes.some(({ kind }) => kind === "stack")) return;
      const made = new Set(
        layout.nodes.flatMap((each) => (each.kind === "operator" ? (each.makes ?? []) : [])),
      );
      for (const { id } of compiled.program.graph.operators)
        expect(ids).toContain(`operator-${id}`);
      for (const { id } of compiled.program.graph.tensors) {
        if (!made.has(id)) expect(ids).toContain(`tensor-${id}`);
      }
      for (const { index, input, output } of compiled.program.redistributions) {
        if (input !== output) expect(ids).toContain(`redist-${index}`);
      }
    }),
    runs(10),
  );
});

test("every flow of a gradient has a line", () => {
  fc.assert(
    fc.property(anyStep, (compiled) => {
      const layout = layoutGraph(compiled);
      const training = trainingFlowOf(compiled, flowOf(compiled));
      for (const { to, tensor } of training?.edges ?? []) {
        const target = to.startsWith("badge ") ? to.replace("badge ", "redist-") : undefined;
        const lines = layout.edges.filter((edge) => edge.tensor === tensor);
        const reaches =
          target === undefined ? lines.length > 0 : lines.some((edge) => edge.to === target);
        expect(reaches).toBe(true);
      }
    }),
    runs(15),
  );
});

test("forward alone stands as it would without training", () => {
  fc.assert(
    fc.property(anyStep, (compiled) => {
      const { nodes, heads } = layoutGraph(compiled, new Set([forwardOnly]));
      const { graph } = compiled;
      const program = { ...compiled.program, graph };
      expect(heads).toEqual([]);
      expect(nodes).toEqual(layoutGraph({ ...compiled, program }).nodes);
    }),
    runs(20),
  );
});

const trained = examples.filter(({ program }) => /^train\(/mu.test(program));

test.each(trained)("$name: each gradient operator stands beside its forward one", ({ program }) => {
  const compiled = compile(program);
  const layout = layoutGraph(compiled);
  expect(layout.heads.map(({ text }) => text)).toHaveLength(3);
  const forwardEnd = Math.max(
    ...compiled.graph.operators
      .map(({ id }) => node(layout, `operator-${id}`))
      .map(({ x, width }) => x + width),
  );
  for (const { id, of, phase } of compiled.program.graph.operators) {
    if (phase === undefined || phase === "forward") continue;
    const box = node(layout, `operator-${id}`);
    expect(box.x).toBeGreaterThan(forwardEnd);
    if (of === undefined) continue;
    const own = node(layout, `operator-${of}`);
    for (const each of compiled.graph.operators) {
      const other = node(layout, `operator-${each.id}`);
      if (other.y < own.y) expect(other.y + other.height).toBeLessThanOrEqual(box.y);
      if (other.y > own.y) expect(other.y).toBeGreaterThanOrEqual(box.y + box.height);
    }
  }
});

test("what is gathered again says so, and a gradient passes its sum on the way to its update", () => {
  const fsdp = examples.find(({ name }) => name === "fsdp");
  const layout = layoutGraph(compile(fsdp?.program ?? ""));
  const words = layout.nodes.flatMap((each) =>
    each.kind === "redistribution" && each.badge.of !== undefined ? [each.badge.of] : [],
  );
  expect(words.sort()).toEqual(["g again", "w1 again", "w2 again"]);
  const lines = layout.edges.map(({ from, to }) => `${from} ${to}`);
  expect(lines).toContain("tensor-w2.grad redist-4");
  expect(lines).toContain("redist-4 operator-w2.new");
});

test("the list names the phases and holds every operator, state and redistribution once", () => {
  fc.assert(
    fc.property(anyStep, (compiled) => {
      const rows = listOf(compiled);
      const ids = new Set(rows.map(({ id }) => id));
      expect(ids.size).toBe(rows.length);
      const headings = rows.flatMap((row) => (row.kind === "heading" ? [row.text] : []));
      expect(headings).toEqual(["Backward", "Update"].slice(0, headings.length));
      if (rows.some(({ kind }) => kind === "stack")) return;
      const { graph, redistributions } = compiled.program;
      for (const { id } of graph.operators) expect(ids).toContain(`operator-${id}`);
      for (const { id, producer } of graph.tensors) {
        if (producer === undefined) expect(ids).toContain(`tensor-${id}`);
      }
      for (const { index, input, output } of redistributions) {
        if (input !== output) expect(ids).toContain(`redist-${index}`);
      }
      const listed = listOf(compiled, new Set([forwardOnly]));
      expect(listed.some(({ id }) => id.includes(".grad"))).toBe(false);
    }),
    runs(12),
  );
});

test("a tensor and its gradients belong together, and an operator and those of its way back", () => {
  fc.assert(
    fc.property(anyStep, (compiled) => {
      const layout = layoutGraph(compiled);
      const { program } = compiled;
      const mates = (id: string) => {
        const found = layout.nodes.find((each) => each.id === id);
        return trainingCounterparts(program, layout, found).map((each) => each.id);
      };
      const ids = idsOf(layout);
      for (const { id, gradientOf } of program.graph.tensors) {
        const [one, other] = [`tensor-${id}`, `tensor-${gradientOf}`];
        if (gradientOf === undefined || !ids.has(one) || !ids.has(other)) continue;
        expect(mates(one)).toContain(other);
        expect(mates(other)).toContain(one);
      }
      for (const { id, of } of program.graph.operators) {
        const [one, other] = [`operator-${id}`, `operator-${of}`];
        if (of === undefined || !ids.has(one) || !ids.has(other)) continue;
        expect(mates(one)).toContain(other);
        expect(mates(other)).toContain(one);
      }
    }),
    runs(20),
  );
});

const layers = `mesh = Mesh(dp=2, tp=4)
def layers(x):
    n = layer_norm(x, Parameter((16,), "bf16"))
    h = matmul(n, Parameter((16, 64), "bf16"))
    a = gelu(h)
    o = matmul(a, Parameter((64, 16), "bf16"))
    return add(x, o)
x = Tensor((8, 16), "bf16")
for i in range(LAYERS):
    x = layers(x)
strategy("layers[*].h", m="dp", n="tp")
strategy("layers[*].o", m="dp", k="tp")
train(x, zero=1, recompute=["layers[*].a"])
`;

test("folded blocks fold their way back along, and open with it", () => {
  const compiled = compile(layers.replace("LAYERS", "6"));
  const folded = layoutGraph(compiled);
  expect(layoutFaults(folded)).toEqual([]);
  const stacks = folded.nodes.flatMap((each) => (each.kind === "stack" ? [each.stack] : []));
  const [forward, ...beside] = stacks;
  expect(beside.map(({ label }) => label.split(" ").at(-1)).sort()).toEqual([
    "backward",
    "updates",
  ]);
  const inside = new Set(
    beside.flatMap(({ runs: all }) => all.flatMap(({ operators }) => operators)),
  );
  const drawn = idsOf(folded);
  for (const { id } of compiled.program.graph.operators) {
    const isForward = compiled.graph.operators.some((each) => each.id === id);
    if (!isForward) expect(inside.has(id) !== drawn.has(`operator-${id}`)).toBe(true);
  }
  for (const { each, runs: all } of beside) {
    const sizes = new Set(all.map(({ operators }) => operators.length));
    expect(each.endsWith(" each")).toBe(sizes.size === 1);
  }
  const key = forward?.runs[1]?.key ?? "";
  const open = layoutGraph(compiled, new Set([key]));
  expect(layoutFaults(open)).toEqual([]);
  const [gradient] = beside[0]?.runs[1]?.operators ?? [];
  if (gradient === undefined) throw new Error("the second layer has no backward pass");
  expect(foldedRunOf(folded, { operator: gradient })).toBe(key);
  expect(idsOf(open).has(`operator-${gradient}`)).toBe(true);
});

test("a step of many layers that do not fold is laid out whole", () => {
  const text = layers
    .replace("LAYERS", "60")
    .replace("(16, 64)", "(16, 64 + 8 * i)")
    .replace("(64, 16)", "(64 + 8 * i, 16)")
    .replace("def layers(x):", "def layers(x, i):")
    .replace("layers(x)\n", "layers(x, i)\n");
  const compiled = compile(text);
  expect(compiled.graph.operators).toHaveLength(300);
  const forward = layoutGraph(compiled, new Set([forwardOnly])).nodes.length;
  expect(layoutGraph(compiled).nodes.length).toBeGreaterThan(Math.max(2000, 2 * forward));
});
