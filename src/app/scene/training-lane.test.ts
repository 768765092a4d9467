import fc from "fast-check";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { randomTrainingStep } from "../../execute/verify/random-program.testing.ts";
import { type CanvasLayout, type CanvasNode, forwardOnly } from "./canvas.ts";
import { flowOf } from "./flow.ts";
import { layoutFaults } from "./layout-faults.testing.ts";
import { layoutGraph } from "./layout-graph.ts";
import { runs } from "./layouts.testing.ts";
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
    runs(60),
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
    runs(60),
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
    runs(40),
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
