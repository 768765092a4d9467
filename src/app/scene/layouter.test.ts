import { expect, test } from "vitest";
import { compile } from "#compile";
import { layoutGraph } from "./layout-graph.ts";
import { createLayouter } from "./layouter.ts";

const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((8, 8))
y = matmul(x, Parameter((8, 8)))
strategy(y, m="dp")
z = matmul(y, Parameter((8, 8)))
strategy(z, m="mp")
`;

test("a version that draws the same gets the same layout", () => {
  const layOut = createLayouter();
  const first = layOut(compile(text), []);
  expect(layOut(compile(`# above\n${text}`), [])).toBe(first);
  expect(first).toEqual(layoutGraph(compile(text)));
});

test("another version gets its own layout, with the boxes that stand where they stood", () => {
  const layOut = createLayouter();
  const first = layOut(compile(text), []);
  const other = compile(text.replace('z, m="mp"', 'z, n="mp"'));
  const second = layOut(other, []);
  expect(second).toEqual(layoutGraph(other));
  const nodeIn = (layout: typeof first) => layout.nodes.find(({ id }) => id === "operator-y");
  expect(nodeIn(second)).toBe(nodeIn(first));
});
