import { expect, test } from "vitest";
import { type Compiled, compile } from "#compile";
import { printLayout } from "#core/mesh";
import { twoMatmuls } from "./fixture.testing.ts";
import { layoutGraph } from "./graph/layout-graph.ts";

test("the fixture is what the compiler makes of its text", () => {
  const compiled = compile(twoMatmuls.source);
  expect(compiled.diagnostics).toEqual([]);
  expect(layoutsOf(compiled)).toEqual(layoutsOf(twoMatmuls));
  expect(movesOf(compiled)).toEqual(movesOf(twoMatmuls));
  expect(boxesOf(compiled)).toEqual(boxesOf(twoMatmuls));
});

function layoutsOf({ tensors }: Compiled): readonly string[] {
  return tensors.map(({ tensor, layout }) => `${tensor} ${printLayout(layout)}`).sort();
}

function movesOf({ program }: Compiled): readonly unknown[] {
  return program.redistributions.map(({ tensor, bytes, elements, lowerBound }) => {
    return { tensor, bytes, elements, lowerBound };
  });
}

function boxesOf(compiled: Compiled): readonly unknown[] {
  const { nodes, edges } = layoutGraph(compiled);
  const boxes = nodes.map(({ id, x, y, width, height }) => ({ id, x, y, width, height }));
  return [...boxes, ...edges.map(({ id, path }) => ({ id, path }))];
}
