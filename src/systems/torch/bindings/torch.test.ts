import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { reading } from "../../../language/document/reading.testing.ts";

const head =
  "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nx = Tensor((8, 16, 32))\n";

test.each`
  text                                                                         | operators                                                                                                                                                                                    | last
  ${"y = x + 1"}                                                               | ${["y add a b c, ?^ -> a b c"]}                                                                                                                                                              | ${"y[8,16,32]"}
  ${"y = 1 - x"}                                                               | ${["y sub ?^, a b c -> a b c"]}                                                                                                                                                              | ${"y[8,16,32]"}
  ${"y = -x"}                                                                  | ${["y neg a b c -> a b c"]}                                                                                                                                                                  | ${"y[8,16,32]"}
  ${"y = x ** 2 < 3"}                                                          | ${["pow_1 pow a b c, ?^ -> a b c", "y less a b c, ?^ -> a b c"]}                                                                                                                             | ${"y[8,16,32]"}
  ${"y = x[:, -1]"}                                                            | ${["y select a b^ c -> a c"]}                                                                                                                                                                | ${"y[8,32]"}
  ${"y = x[0, 2:10, None]"}                                                    | ${["select_1 select a^ b c -> b c", "slice_1 slice a^ b -> 8^ b", "y unsqueeze a b -> a 1^ b"]}                                                                                              | ${"y[8,1,32]"}
  ${"y = x[..., :4]"}                                                          | ${["y slice a b c^ -> a b 4^"]}                                                                                                                                                              | ${"y[8,16,4]"}
  ${"y = x.transpose(1, 2)"}                                                   | ${["y transpose a b c -> a c b"]}                                                                                                                                                            | ${"y[8,32,16]"}
  ${"y = x.view(8, -1)"}                                                       | ${["y view a b 32^ -> a (b 32^)"]}                                                                                                                                                           | ${"y[8,512]"}
  ${"y = x.mean(-1, keepdim=True)"}                                            | ${["y mean a b c+ -> a b 1^"]}                                                                                                                                                               | ${"y[8,16,1]"}
  ${"y = x.to(torch.bfloat16).to('cuda')"}                                     | ${["y to a b c -> a b c"]}                                                                                                                                                                   | ${"y[8,16,32]"}
  ${"b, s, d = x.shape\ny = x.reshape(b * s, d)"}                              | ${["y reshape a 16^ b -> (a 16^) b"]}                                                                                                                                                        | ${"y[128,32]"}
  ${"y = F.softmax(x, dim=-1, dtype=torch.float32)"}                           | ${["y softmax a b c^ -> a b c^"]}                                                                                                                                                            | ${"y[8,16,32]"}
  ${"y = torch.cat([x, x], dim=0)"}                                            | ${["y cat a0^ b c, a1^ b c -> 16^ b c"]}                                                                                                                                                     | ${"y[16,16,32]"}
  ${"y = torch.einsum('b s d, b t d -> b s t', x, x)"}                         | ${["y einsum b s d+, b t d+ -> b s t"]}                                                                                                                                                      | ${"y[8,16,16]"}
  ${"y = F.layer_norm(x, (32,), None, None, 1e-5)"}                            | ${["y layer_norm a b c^ -> a b c^"]}                                                                                                                                                         | ${"y[8,16,32]"}
  ${"y = F.scaled_dot_product_attention(x, x, x, attn_mask=Tensor((16, 16)))"} | ${["y scaled_dot_product_attention h l e^, h s^ e^, h s^ d, l s^ -> h l d"]}                                                                                                                 | ${"y[8,16,32]"}
  ${"y = F.scaled_dot_product_attention(x, x, x, x[:, :1, :16] > 0, 0.0)"}     | ${["slice_1 slice a b^ c -> a 1^ c", "slice_2 slice a b c^ -> a b 16^", "greater_1 greater a b c, ?^ -> a b c", "y scaled_dot_product_attention h l e^, h s^ e^, h s^ d, h 1^ s^ -> h l d"]} | ${"y[8,16,32]"}
  ${"y = torch.hstack([x, x])"}                                                | ${["y hstack a b0^ c, a b1^ c -> a 32^ c"]}                                                                                                                                                  | ${"y[8,32,32]"}
  ${"with torch.no_grad():\n    y = x.type_as(x.half())"}                      | ${["cast_1 to a b c -> a b c", "y to a b c -> a b c"]}                                                                                                                                       | ${"y[8,16,32]"}
  ${"y = nn.Linear(32, 4)(x)"}                                                 | ${["y linear a b k^, n k^, n -> a b n"]}                                                                                                                                                     | ${"y[8,16,4]"}
  ${"y = nn.Linear(32, 4, bias=False)(x)"}                                     | ${["y linear a b k+, n k+ -> a b n"]}                                                                                                                                                        | ${"y[8,16,4]"}
  ${"y = nn.LayerNorm(32)(x)"}                                                 | ${["y layer_norm a b c^, c^, c^ -> a b c^"]}                                                                                                                                                 | ${"y[8,16,32]"}
  ${"y = nn.Embedding(100, 4)(torch.randint(0, 9, (8,)))"}                     | ${["y embedding a, n+ k -> a k"]}                                                                                                                                                            | ${"y[8,4]"}
  ${"y = nn.Sequential(nn.Linear(32, 4, bias=False), nn.ReLU())(x)"}           | ${["linear_1 linear a b k+, n k+ -> a b n", "y relu a b c -> a b c"]}                                                                                                                        | ${"y[8,16,4]"}
`("$text reads as $operators", ({ text, operators, last }) => {
  const found = reading(head + text);
  expect(found.operators).toEqual(operators);
  expect(found.tensors.split(" ").at(-1)).toBe(last);
  expect(found.said).toEqual([]);
});

const block = `import torch.nn as nn
class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.fc = nn.Linear(d, d, bias=False)
    def forward(self, x):
        h = self.fc(x)
        return h + x
`;

test.each`
  name                  | model                                                                                                                                                                                                                                                             | tensors
  ${"run once"}         | ${"net = Block(4)"}                                                                                                                                                                                                                                               | ${"fc.weight[4,4]! x[8,4] h[8,4] add_1[8,4]"}
  ${"in a list"}        | ${"class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layers = nn.ModuleList([Block(4), Block(4)])\n    def forward(self, x):\n        for layer in self.layers:\n            x = layer(x)\n        return x\nnet = Net()"} | ${"layers[0].fc.weight[4,4]! layers[1].fc.weight[4,4]! x[8,4] layers[0].h[8,4] x#2[8,4] layers[1].h[8,4] x#3[8,4]"}
  ${"in a Python list"} | ${"class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.layers = [Block(4), Block(4)]\n    def forward(self, x):\n        y = self.layers[0](x)\n        return self.layers[1](y)\nnet = Net()"}                              | ${"layers[0].fc.weight[4,4]! layers[1].fc.weight[4,4]! x[8,4] layers[0].h[8,4] y[8,4] layers[1].h[8,4] layers[1].add_1[8,4]"}
  ${"called twice"}     | ${"net = Block(4)\na = net(Tensor((8, 4)))\nb = net(a)"}                                                                                                                                                                                                          | ${"fc.weight[4,4]! input_1[8,4] net[0].h[8,4] a[8,4] net[1].h[8,4] b[8,4]"}
`("names of a block that is $name", ({ model, tensors }) => {
  expect(reading(block + model).tensors).toBe(tensors);
});

test("a module that the program only defines is made and called with assumed arguments", () => {
  const found = reading(block);
  expect(found.tensors).toBe("fc.weight[16,16]! x[8,16] h[8,16] add_1[8,16]");
  expect(found.said).toEqual(["info document/assumed-arguments"]);
});

test("classes that are part of others are not drawn alone, and what an assumption breaks is said once", () => {
  const text = `${block}class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.layers = [Block(4) for _ in range(cfg.depth)]
    def forward(self, x):
        return self.layers[0](x)
`;
  const said = ["info document/assumed-arguments", "info document/nothing-runs"];
  expect(reading(text)).toMatchObject({ operators: [], said });
});

test("the rank of an input is what its shape is unpacked into", () => {
  const text =
    "import torch.nn as nn\nclass M(nn.Module):\n    def forward(self, x):\n        b, s, d = x.shape\n        return x.view(b * s, d)\n";
  expect(reading(text).tensors).toBe("x[8,8,8] reshape_1[64,8]");
});

test("a forward without self takes all its parameters as inputs", () => {
  const text =
    "import torch\nclass M(torch.nn.Module):\n    def forward(x, w):\n        return torch.matmul(x, w)\n";
  expect(reading(text)).toMatchObject({
    tensors: "x[8,8] w[8,8] matmul_1[8,8]",
    said: ["warning document/missing-self TypeError"],
  });
});

test.each`
  what                             | init         | forward
  ${"as that of __init__"}         | ${"m, n"}    | ${"m, x"}
  ${"and its attributes are read"} | ${"self, n"} | ${"net, x"}
`("a module may have any name in its methods, $what", ({ init, forward }) => {
  const [made, run] = [init, forward].map((names: string) => names.split(",")[0]);
  const text = `import torch.nn as nn\nclass M(nn.Module):\n    def __init__(${init}):\n        super().__init__()\n        ${made}.fc = nn.Linear(n, 4)\n    def forward(${forward}):\n        return ${run}.fc(x)\ny = M(8)(Tensor((2, 8)))\n`;
  expect(reading(text)).toMatchObject({ said: [] });
});

test("sizes of a whole model follow from its layers, in two readings", () => {
  const text = `import torch, torch.nn as nn
from dataclasses import dataclass
@dataclass
class Config:
    d: int = 32
    heads: int = 4
class Attention(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.qkv = nn.Linear(cfg.d, 3 * cfg.d, bias=False)
    def forward(self, x):
        b, s, d = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q = q.view(b, s, self.cfg.heads, d // self.cfg.heads)
        return q
net = Attention(Config())
mesh = Mesh(dp=2)
shapes(x=(4, 6, 32))
`;
  expect(reading(text)).toMatchObject({
    tensors:
      "qkv.weight[96,32]! x[4,6,32] linear_1[4,6,96] q[4,6,32] k[4,6,32] v[4,6,32] q#2[4,6,4,8]",
    said: [],
  });
});

test.each`
  call                                                    | message
  ${"F.conv2d(x, Parameter((4, 3, 3, 3)), stride=0)"}     | ${'conv2d() takes "stride" from 1 on, not 0'}
  ${"F.conv2d(x, Parameter((4, 3, 3, 3)), None, (1, 0))"} | ${'conv2d() takes "stride" from 1 on, not 0'}
  ${"F.conv2d(x, Parameter((4, 3, 3, 3)), padding=-1)"}   | ${'conv2d() takes "padding" from 0 on, not -1'}
  ${"F.conv2d(x, Parameter((4, 3, 3, 3)), dilation=0)"}   | ${'conv2d() takes "dilation" from 1 on, not 0'}
  ${"F.max_pool2d(x, 2, stride=0)"}                       | ${"stride should be greater than zero, but got 0"}
`("$call is refused: $message", ({ call, message }) => {
  const program = `import torch.nn.functional as F\nx = Tensor((1, 3, 8, 8))\ny = ${call}\n`;
  const errors = readDocument(program).diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map((each) => each.message)).toEqual([expect.stringContaining(message)]);
});

test("after backward() a tensor has a gradient of its shape, which is said once", () => {
  const text = `import torch
x = torch.randn(4, 8, requires_grad=True)
if x.grad is not None:
    x = x.grad
y = (x * 2).sum()
y.backward()
g = x.grad.abs()
h = x.grad[0] + 1
torch.testing.assert_close(g, x)
`;
  const { graph, diagnostics } = readDocument(text);
  expect(graph.tensors.find(({ name }) => name === "g")?.shape).toEqual([4, 8]);
  expect(graph.tensors.find(({ name }) => name === "h")?.shape).toEqual([8]);
  expect(diagnostics.map(({ code }) => code)).toEqual([
    ...["document/gradient-as-input", "torch/gradients-alone"],
  ]);
});

test("an element of each row is gathered, so that rows may be cut", () => {
  const text = `import torch
x = torch.randn(4, 6, 8)
places = torch.randint(0, 6, (4,))
y = x[torch.arange(4), places]
z = x[places, torch.arange(4)]
`;
  const { graph } = readDocument(text);
  const made = graph.operators.filter(({ op }) => ["gather", "getitem"].includes(op));
  expect(made.map(({ op, axes }) => `${op} ${axes.some((axis) => axis.name === "a")}`)).toEqual([
    ...["gather true", "getitem false"],
  ]);
  expect(graph.tensors.find(({ name }) => name === "y")?.shape).toEqual([4, 8]);
});

test.each([
  ["x.T", [8, 6, 4]],
  ["x.mT", [4, 8, 6]],
  ["np.transpose(x)", [8, 6, 4]],
  ["np.transpose(x, (1, 2, 0))", [6, 8, 4]],
])("%s of an array is a permutation", (call, shape) => {
  const text = `import numpy as np\nimport torch\nx = torch.randn(4, 6, 8)\ny = ${call}\n`;
  const { graph, diagnostics } = readDocument(text);
  expect(graph.tensors.find(({ name }) => name === "y")?.shape).toEqual(shape);
  expect(diagnostics).toEqual([]);
});

test.each([
  ["torch.inner(x, y)", [4, 6, 4, 6]],
  ["torch.kron(x, z)", [4, 6, 24]],
  ["torch.diag_embed(x, 1, 0, 2)", [9, 4, 9, 6]],
  ["x.take(places)", [2, 5]],
  ["torch.nn.functional.upsample_nearest(x[None], 4)", [1, 4, 4, 4]],
  ["torch.nn.functional.upsample_nearest(x[None], scale_factor=2)", [1, 4, 12, 16]],
])("%s has the shape that PyTorch gives", (call, shape) => {
  const text = `import torch\nx, y = torch.randn(4, 6, 8), torch.randn(4, 6, 8)\nz = torch.randn(3)\nplaces = torch.randint(0, 9, (2, 5))\nr = ${call}\n`;
  const { graph, diagnostics } = readDocument(text);
  expect(graph.tensors.find(({ name }) => name === "r")?.shape).toEqual(shape);
  expect(diagnostics).toEqual([]);
});

test.each([
  ["net", 0.5],
  ["net.eval()", 0],
  ["net.eval().train()", 0.5],
  ["nn.Sequential(net).eval()", 0],
])("a dropout of %s drops as PyTorch drops", (module, p) => {
  const text = `${head}net = nn.Dropout(0.5)\ny = ${module}(x)\n`;
  const { graph } = readDocument(text);
  expect(graph.operators.map(({ attributes }) => attributes["p"])).toEqual([p]);
});
