import { expect, test } from "vitest";
import { readDocument } from "#systems";

const leaves = 'x = Tensor((4, 8))\nw = Parameter((8, 2), "bf16")\n';

const saidOf = (line: string) => readDocument(leaves + line).diagnostics.map(({ code }) => code);

test.each`
  fact
  ${"x.cuda() is x and x.cpu() is x and x.data is x"}
  ${"x.normal_() is x and x.fill_(0) is x"}
  ${'x.set_dtype("float16") is x and w.init_data() is w'}
  ${"w.requires_grad and not x.requires_grad"}
  ${"w.requires_grad_(False).requires_grad == False"}
  ${"w.is_leaf and x.is_leaf and not x.is_cuda"}
  ${"w.grad is None and x.grad_fn is None"}
  ${"x.itemsize == 4 and w.element_size() == 2"}
  ${'x.device.type == "cpu"'}
  ${"tuple(x.unfold(0, 2, 1).shape) == (3, 8, 2)"}
`("[$fact] holds in a program that names no system", ({ fact }) => {
  expect(saidOf(`assert ${fact}\n`)).toEqual(saidOf("\n"));
});

test("an assertion that does not hold is seen, and what no system knows is said", () => {
  expect(saidOf("assert x.itemsize == 2\n")).toContain("python/assertion-error");
  expect(saidOf("y = x.frobnicate()\n")).toContain("document/unknown-result");
});

test("x.data is the tensor in the body of a function as well", () => {
  const { graph, traceBody } = readDocument(`import torch
# annotation: a b -> a b
def f(x):
    return torch.relu(x.data)
x = Tensor((4, 8))
y = f(x)
`);
  const [operator] = graph.operators;
  if (operator === undefined) throw new Error("no operator");
  const body = traceBody({ operator: operator.id, shapes: [[4, 8]], lengths: {}, pieces: [] });
  expect(body.ok && body.body.graph.operators.map(({ op }) => op)).toEqual(["relu"]);
});
