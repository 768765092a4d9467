import { expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { readDocument } from "#systems";

const head = `import torch
import torch.nn as nn
import torch.nn.functional as F
x = torch.randn(8, 16)
`;

// Source of what each takes: PyTorch 2.13, which raises a TypeError for all of these.
test.each`
  call                                  | name         | meant
  ${"torch.sum(x, dmi=0)"}              | ${"dmi"}     | ${"dim"}
  ${"x.sum(dmi=0)"}                     | ${"dmi"}     | ${"dim"}
  ${"torch.softmax(x, dmi=1)"}          | ${"dmi"}     | ${"dim"}
  ${"torch.matmul(x, x.t(), zed=1)"}    | ${"zed"}     | ${undefined}
  ${"F.layer_norm(x, (16,), esp=1e-5)"} | ${"esp"}     | ${"eps"}
  ${"torch.zeros(3, dtyp=torch.int64)"} | ${"dtyp"}    | ${"dtype"}
  ${"nn.Linear(16, 4, bais=False)(x)"}  | ${"bais"}    | ${"bias"}
  ${"nn.Softmax(axis=1)(x)"}            | ${"axis"}    | ${undefined}
  ${"nn.Conv2d(3, 4, 3, strides=2)(x)"} | ${"strides"} | ${"stride"}
`("$call is refused as Python refuses it", ({ call, name, meant }) => {
  const source = `${head}y = ${call}\n`;
  const [found, ...others] = readDocument(source).diagnostics.filter(
    ({ severity }) => severity === "error",
  );
  expect(others).toEqual([]);
  expect(found?.message).toContain(`got an unexpected keyword argument '${name}'`);
  expect(source.slice(found?.span?.from, found?.span?.to)).toBe(name);
  const fixed = found?.fixes?.map(({ edits }) => applyEdits(source, edits));
  expect(fixed).toEqual(meant === undefined ? [] : [source.replace(`${name}=`, `${meant}=`)]);
});

test.each([
  "torch.sum(x, axis=0, keepdims=True)",
  "torch.sum(input=x, dim=0, dtype=torch.float32)",
  "F.softmax(x, dim=-1, _stacklevel=3)",
  "x.softmax(dim=-1, dtype=torch.float32)",
  "F.dropout(x, p=0.1, training=True, inplace=False)",
  "torch.randn(4, 4, device='cuda', dtype=torch.bfloat16, requires_grad=True)",
  "nn.Linear(16, 4, bias=False, device='cpu', dtype=torch.float16)(x)",
  "nn.ReLU(inplace=True)(x)",
  "x.transpose(dim0=0, dim1=1)",
])("%s is read as PyTorch takes it", (call) => {
  const { diagnostics } = readDocument(`${head}y = ${call}\n`);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

// Shapes that PyTorch 2.13 gives: functions that it has not written in Python take NumPy's names.
test.each`
  call                                             | shape
  ${"x.sum(dim=-1, keepdims=True)"}                | ${[8, 1]}
  ${"torch.mean(x, axis=0, keepdims=True)"}        | ${[1, 16]}
  ${"x.amax(dim=1, keepdims=True)"}                | ${[8, 1]}
  ${"x.max(axis=1, keepdims=True).values"}         | ${[8, 1]}
  ${"torch.min(x, axis=0)[0]"}                     | ${[16]}
  ${"x.std(dim=-1, keepdims=True)"}                | ${[8, 1]}
  ${"x.argmax(axis=-1, keepdims=True)"}            | ${[8, 1]}
  ${"x.any(axis=1, keepdims=True)"}                | ${[8, 1]}
  ${"torch.median(x, axis=1, keepdims=True)[0]"}   | ${[8, 1]}
  ${"torch.linalg.norm(x, dim=-1, keepdims=True)"} | ${[8, 1]}
  ${"torch.linalg.vector_norm(x, axis=0)"}         | ${[16]}
  ${"torch.unbind(x, axis=1)[0]"}                  | ${[8]}
  ${"x.narrow(axis=1, start=0, length=2)"}         | ${[8, 2]}
  ${"torch.add(x1=x, x2=x)"}                       | ${[8, 16]}
  ${"torch.cdist(x1=x, x2=x)"}                     | ${[8, 8]}
`("$call makes $shape", ({ call, shape }) => {
  const { graph, diagnostics } = readDocument(`${head}y = ${call}\n`);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(graph.tensors.find(({ name }) => name === "y")?.shape).toEqual(shape);
});

test.each`
  call                     | shape      | dtype
  ${"h.new(2, 5)"}         | ${[2, 5]}  | ${"f16"}
  ${"h.new(h.size())"}     | ${[8, 16]} | ${"f16"}
  ${"h.new([1, 2, 3])"}    | ${[3]}     | ${"f16"}
  ${"h.data.new().half()"} | ${[0]}     | ${"f16"}
  ${"h.new(h.size(1), 7)"} | ${[16, 7]} | ${"f16"}
`("$call is a tensor of the type of its own", ({ call, shape, dtype }) => {
  const { graph, diagnostics } = readDocument(`${head}h = x.half()\ny = ${call} + 1\n`);
  expect(diagnostics).toEqual([]);
  const y = graph.tensors.find(({ name }) => name === "y");
  expect([y?.shape, y?.dtype]).toEqual([shape, dtype]);
});

test.each(["x.norm(dim=-1, keepdims=True)", "x.split(4, axis=1)", "F.softmax(x, axis=1)"])(
  "%s is refused: PyTorch has written it in Python",
  (call) => {
    const { diagnostics } = readDocument(`${head}y = ${call}\n`);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toHaveLength(1);
  },
);

test("a word of the product's own refuses what it does not take", () => {
  const { diagnostics } = readDocument("x = Tensor((8, 16), requires_grad=True)\n");
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'Tensor() has no "requires_grad": it takes shape, dtype',
  ]);
});

test.each`
  call                                                      | shape      | dtype
  ${"nn.CrossEntropyLoss(reduction='none')(x, t)"}          | ${[8]}     | ${"f32"}
  ${"nn.CrossEntropyLoss(ignore_index=0)(x, t)"}            | ${[]}      | ${"f32"}
  ${"nn.MSELoss(None, None, 'none')(x, x)"}                 | ${[8, 16]} | ${"f32"}
  ${"nn.BCEWithLogitsLoss(reduction='none')(x, x)"}         | ${[8, 16]} | ${"f32"}
  ${"torch.softmax(x.half(), dim=-1, dtype=torch.float32)"} | ${[8, 16]} | ${"f32"}
  ${"x.half().softmax(-1, dtype=torch.bfloat16)"}           | ${[8, 16]} | ${"bf16"}
  ${"torch.zeros((8, 4), dtype=torch.long)"}                | ${[8, 4]}  | ${"i64"}
  ${"torch.zeros((8, 4), dtype=torch.int)"}                 | ${[8, 4]}  | ${"i32"}
  ${"torch.randint(0, 9, (8,)).to(torch.int)"}              | ${[8]}     | ${"i32"}
  ${"torch.sum(x, dim=1, dtype=torch.float16)"}             | ${[8]}     | ${"f16"}
`("$call makes $shape of $dtype", ({ call, shape, dtype }) => {
  const { graph } = readDocument(`${head}t = torch.randint(0, 16, (8,))\ny = ${call}\n`);
  const result = graph.tensors.find(({ name }) => name === "y");
  expect([result?.shape, result?.dtype]).toEqual([shape, dtype]);
});
