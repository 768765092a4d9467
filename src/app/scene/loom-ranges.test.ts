import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { layoutGraph } from "./layout-graph.ts";

function layoutOf(name: string) {
  const { program, plan = "" } = examples.find((each) => each.name === name) ?? { program: "" };
  return layoutGraph(compile(program, { planText: plan }));
}

test("an edge bears the range of its selection where that is not the whole tensor", () => {
  const { edges } = layoutOf("loom-convolution");
  const written = edges.flatMap(({ tensor, to, range }) =>
    range === undefined ? [] : [`${tensor} -> ${to} ${range}`],
  );
  expect(written).toEqual(["image -> operator-conv zr[0:33, 0:33]"]);
});

test("where selections are whole no edge bears a range, and no room is left for one", () => {
  for (const name of ["loom-expression", "loom-split-k"]) {
    expect(layoutOf(name).edges.every(({ range }) => range === undefined)).toBe(true);
  }
});

test("between a tensor and its card there is room for the range", () => {
  const { nodes, edges } = layoutOf("loom-convolution");
  const card = nodes.find(({ kind }) => kind === "operator");
  const edge = edges.find(({ range }) => range !== undefined);
  const start = edge?.points.at(-2);
  expect((card?.x ?? 0) - (start?.x ?? 0)).toBeGreaterThan(80);
});
