import { expect, test } from "vitest";
import { compile } from "#compile";
import { layoutGraph } from "../graph/layout-graph.ts";

const text = `mesh = Mesh(dp=2, mp=2)
x = Tensor((512, 1024), "bf16")
w1 = Parameter((1024, 4096), "bf16")
w2 = Parameter((4096, 1024), "bf16")
h = matmul(x, w1)
y = matmul(h, w2)
strategy(h, m="dp", n="mp")
strategy(y, m="dp")
`;

const layoutOfText = (source: string) => layoutGraph(compile(source));

test("a split that leaves a sum makes the drawing no wider and moves no result aside", () => {
  const before = layoutOfText(text);
  const after = layoutOfText(text.replace('strategy(y, m="dp")', 'strategy(y, m="dp", k="mp")'));
  const caption = after.nodes.find(({ id }) => id === "tensor-y");
  expect(caption?.kind === "tensor" && caption.caption.bytes).toMatch(/, unsummed$/);
  expect(after.width).toBeLessThanOrEqual(before.width);
  const leftOf = (layout: typeof before) => layout.nodes.find(({ id }) => id === "tensor-y")?.x;
  expect(leftOf(after)).toBe(leftOf(before));
});

test("the first plan of a new reader fits the canvas of a usual screen at its full size", () => {
  expect(layoutOfText(text).width).toBeLessThanOrEqual(680);
});

test("tensors alone stand as wide as they are", () => {
  const alone = layoutOfText(
    'mesh = Mesh(d=2)\nrows = Tensor((4, 4))\nplace(rows, layout("d", "None"))\n',
  );
  expect(alone.width).toBeLessThan(300);
});
