import { expect, test } from "vitest";
import { compile } from "#compile";
import { printLayout } from "#core/mesh";
import { readDocument } from "#systems";

const head = `import torch
from torch import nn
import torch.nn.functional as F
from contextlib import nullcontext
x = torch.ones(8, 16)
w = nn.Parameter(torch.ones(16, 16))
low = torch.autocast("cuda", dtype=torch.bfloat16)
`;

function read(lines: string) {
  const { graph, diagnostics } = readDocument(`${head}${lines}\n`);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([]);
  return graph;
}

/** As PyTorch 2.13 types the same lines on a GPU. */
test.each`
  lines                                                                                             | type
  ${"with low:\n    y = x @ w"}                                                                     | ${"bf16"}
  ${"with low:\n    a = x @ w\ny = a + x"}                                                          | ${"f32"}
  ${"with low:\n    y = F.layer_norm(x @ w, (16,))"}                                                | ${"f32"}
  ${"with low:\n    y = torch.cat([x @ w, x])"}                                                     | ${"f32"}
  ${"with low:\n    y = F.gelu(x @ w)"}                                                             | ${"bf16"}
  ${"with low:\n    y = F.softmax(x @ w, dim=-1)"}                                                  | ${"f32"}
  ${"with low:\n    y = F.softmax(x @ w, dim=-1, dtype=torch.bfloat16)"}                            | ${"bf16"}
  ${"with low:\n    with torch.autocast('cuda', enabled=False):\n        y = x @ w"}                | ${"f32"}
  ${"with low:\n    with torch.autocast('cuda', enabled=False):\n        pass\n    y = x @ w"}      | ${"bf16"}
  ${"with torch.autocast('cuda', torch.float16):\n    with low:\n        pass\n    y = x @ w"}      | ${"f16"}
  ${"with torch.autocast(device_type='cuda'):\n    y = x @ w"}                                      | ${"f16"}
  ${"with torch.autocast('cpu'):\n    y = x @ w"}                                                   | ${"bf16"}
  ${"with torch.amp.autocast('cuda', dtype=torch.bfloat16):\n    y = x @ w"}                        | ${"bf16"}
  ${"with torch.cuda.amp.autocast():\n    y = x @ w"}                                               | ${"f16"}
  ${"with torch.cuda.amp.autocast(False):\n    y = x @ w"}                                          | ${"f32"}
  ${"from torch.cuda.amp import autocast\nwith autocast(dtype=torch.bfloat16):\n    y = x @ w"}     | ${"bf16"}
  ${"with torch.autocast('cuda', dtype=torch.float32):\n    y = x @ w"}                             | ${"f32"}
  ${"@low\ndef f(a):\n    return a @ w\ny = f(x)"}                                                  | ${"bf16"}
  ${"@torch.autocast('cuda', enabled=False)\ndef f(a):\n    return a @ w\nwith low:\n    y = f(x)"} | ${"f32"}
  ${"y = low(lambda a: a @ w)(x)"}                                                                  | ${"bf16"}
  ${"ctx = nullcontext() if not torch.is_autocast_enabled() else low\nwith ctx:\n    y = x @ w"}    | ${"f32"}
  ${"with low:\n    y = x.double() if torch.is_autocast_enabled() else x"}                          | ${"f64"}
  ${"with low:\n    y = x.to(torch.get_autocast_dtype('cuda'))"}                                    | ${"bf16"}
  ${"with low:\n    y = x.double() @ w.double()"}                                                   | ${"f64"}
  ${"try:\n    with low:\n        raise ValueError('no')\nexcept ValueError:\n    pass\ny = x @ w"} | ${"f32"}
`("$lines gives $type", ({ lines, type }) => {
  expect(read(lines).tensors.find(({ name }) => name === "y")?.dtype).toBe(type);
});

const decorated = `class Net(nn.Module):
    @torch.autocast("cuda", dtype=torch.bfloat16)
    def forward(self, a):
        return self.mm(self.mm(a))
    def mm(self, a):
        return a @ w
y = Net()(x)
`;

test("a weight is cast once while the context is open, and again in the next", () => {
  const casts = (lines: string) =>
    read(lines).operators.filter(
      ({ entry, inputs }) => entry === "cast" && inputs[0]?.tensor === "w",
    ).length;
  expect(casts("with low:\n    a = x @ w\n    y = a @ w")).toBe(1);
  expect(casts("with low:\n    a = x @ w\nwith low:\n    y = x @ w")).toBe(2);
  expect(casts("with low:\n    with low:\n        a = x @ w\n    y = x @ w")).toBe(1);
  expect(casts(decorated)).toBe(1);
});

test("a weight that is cast lies as the product wants it", () => {
  const { tensors, diagnostics } = compile(
    `${head}mesh = Mesh(dp=2, mp=4)\nwith low:\n    y = x @ w\nstrategy(y, m="dp", n="mp")\n`,
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const layoutOf = (name: string) => {
    const view = tensors.find(({ tensor }) => tensor === name);
    return view && printLayout(view.layout);
  };
  expect([layoutOf("w"), layoutOf("x")]).toEqual(["_,mp", "dp,_"]);
});
