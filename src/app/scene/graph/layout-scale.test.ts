import { expect, test } from "vitest";
import { sketched } from "../program.testing.ts";
import type { CanvasLayout } from "./canvas.ts";
import { count, largeProgram, scattered, shapes } from "./large-programs.testing.ts";
import { layoutGraph } from "./layout-graph.ts";

test.each(Object.entries(shapes))(
  "10,000 operators in %s are placed once each, and in order",
  (_, readsOf) => {
    const compiled = largeProgram(readsOf);
    const layout = layoutGraph(compiled);
    const cards = layout.nodes.filter(({ kind }) => kind === "operator" || kind === "stack");
    expect(new Set(cards.map(({ id }) => id)).size).toBe(cards.length);
    expect(cards.length).toBeGreaterThan(count / 2);
    const isInOrder = cards.slice(1).map((card, at) => card.y >= (cards[at]?.y ?? 0));
    expect(isInOrder.every(Boolean)).toBe(true);
    expect(overlapsInColumns(layout)).toEqual([]);
  },
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
  layoutGraph(largeProgram(shapes["a chain"] ?? (() => []), 200));
  expect(layoutGraph(compiled)).toEqual(first);
});

/** Boxes that overlap the next box below that starts at the same x. */
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
