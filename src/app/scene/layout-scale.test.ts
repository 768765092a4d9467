import { expect, test } from "vitest";
import type { Compiled } from "#compile";
import type { CanvasLayout } from "./canvas.ts";
import { layoutGraph } from "./layout-graph.ts";
import { type Sketch, sketched } from "./program.testing.ts";

const count = 10_000;

/** Of processor time, however many others use the machine. */
const mostSeconds = 5;

/** Numbers without a pattern, so that no part of a program repeats another one. */
function scattered(at: number, below: number): number {
  return ((Math.imul(at + 1, 2_654_435_761) >>> 9) ^ (at >>> 3)) % below;
}

const shapes: Readonly<Record<string, (at: number) => readonly string[]>> = {
  "a chain": (at) => [at === 0 ? "x" : `h${at - 1}${scattered(at, 3) === 0 ? "!" : ""}`, `w${at}`],
  "a wide graph": (at) => (at < count / 2 ? ["x", `w${at}`] : [`h${at - count / 2}`, `h${at - 1}`]),
};

function programOf(readsOf: (at: number) => readonly string[], length = count): Compiled {
  const operators = Array.from({ length }, (_, at) => ({
    name: `h${at}`,
    reads: readsOf(at),
  }));
  const parameters = operators.flatMap(({ reads }) => reads.filter((read) => read.startsWith("w")));
  const sketch: Sketch = { inputs: ["x"], parameters, operators };
  return sketched(sketch);
}

test.each(Object.entries(shapes))(
  "10,000 operators in %s are placed once each, in order, and without delay",
  (_, readsOf) => {
    const compiled = programOf(readsOf);
    const started = process.cpuUsage();
    const layout = layoutGraph(compiled);
    const { user, system } = process.cpuUsage(started);
    expect((user + system) / 1e6).toBeLessThan(mostSeconds);
    const cards = layout.nodes.filter(({ kind }) => kind === "operator" || kind === "stack");
    const isInOrder = cards.slice(1).map((card, at) => card.y >= (cards[at]?.y ?? 0));
    expect(isInOrder.every(Boolean)).toBe(true);
    expect(overlapsInColumns(layout)).toEqual([]);
  },
  20_000,
);

test("the same program gets the same places, whatever was placed before", () => {
  const compiled = sketched({
    inputs: ["x"],
    parameters: [],
    operators: Array.from({ length: 60 }, (_, at) => ({
      name: `h${at}`,
      reads: [at < 2 ? "x" : `h${at - 1 - scattered(at, 2)}!`],
    })),
  });
  const first = layoutGraph(compiled);
  layoutGraph(programOf(shapes["a chain"] ?? (() => []), 200));
  expect(layoutGraph(compiled)).toEqual(first);
});

/** Boxes that overlap the next lower one that starts in the same column. */
function overlapsInColumns({ nodes }: CanvasLayout): readonly string[] {
  const columns = new Map<number, { readonly id: string; readonly end: number }>();
  return nodes
    .toSorted((a, b) => a.y - b.y)
    .flatMap((node) => {
      const above = columns.get(node.x);
      columns.set(node.x, { id: node.id, end: node.y + node.height });
      return above !== undefined && above.end > node.y ? [`${above.id} ${node.id}`] : [];
    });
}
