import { expect, test } from "vitest";
import { compile } from "#compile";

/** FLOPs of programs that only move elements of `x`, without products. */
test.each`
  lines
  ${"y = torch.zeros(10, 4).index_add(0, torch.randint(0, 10, (30,)), x)"}
  ${"y = x.view(2, 3, 5, 4)[torch.arange(2)[:, None, None], torch.arange(3)[None, :, None], torch.zeros(2, 3, 8, dtype=torch.long), :]"}
  ${"y = torch.zeros(10, 4).scatter_add(0, torch.zeros(30, 4, dtype=torch.long), x)"}
`("no product is counted of $lines", ({ lines }) => {
  const { cost, diagnostics } = compile(`import torch\nx = torch.randn(30, 4)\n${lines}\n`);
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(cost?.flops).toBe(0);
});

test("a product of two tensors is counted, whatever their dims of one element", () => {
  const text = "import torch\ny = torch.randn(1, 3, 4) @ torch.randn(1, 4, 5)\n";
  expect(compile(text).cost?.flops).toBe(2 * 3 * 4 * 5);
});
