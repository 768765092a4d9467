import { expect, test } from "vitest";
import { compile } from "#compile";
import { applyEdits } from "#core/diagnostics";
import { planQuestion } from "#edit";
import { runPlan } from "#execute/verify";
import { optimize } from "#planner";
import { readDocument } from "#systems";
import { reading } from "./reading.testing.ts";

const head = `import torch
import torch.nn.functional as F
from torch import nn
from lib import foo, Bar
x = torch.randn(2, 4, 8)
w = nn.Parameter(torch.randn(8, 8))
`;

/** Diagnostics other than for the import of the missing module. */
function saidOf(text: string): readonly string[] {
  return reading(head + text).said.filter((line) => !line.includes("unknown-module"));
}

function shapesOf(text: string): string {
  const { tensors } = reading(head + text);
  return tensors.replace("x[2,4,8] w[8,8]! ", "");
}

const once = ["warning document/unknown-result"];

test.each`
  after                                                 | tensors
  ${"y = h @ w"}                                        | ${"y[?]"}
  ${"y = F.layer_norm(h, (8,))"}                        | ${"y[?]"}
  ${"y = h.transpose(1, 2).softmax(-1)"}                | ${"transpose_1[?] y[?]"}
  ${"y = h.reshape(8, 8)"}                              | ${"y[8,8]"}
  ${"y = h.view(-1, 8)"}                                | ${"y[?]"}
  ${"q, k = h.chunk(2, dim=-1)"}                        | ${"chunk_1[?] q[?] k[?]"}
  ${"b, t, c = h.shape\ny = h.view(b, t, 2, c // 2)"}   | ${"y[?]"}
  ${"y = h[:, -1, None]"}                               | ${"y[?]"}
  ${"y = x[: h.shape[0]]"}                              | ${"y[?]"}
  ${"y = torch.zeros(h.size(0), 4)"}                    | ${"y[?]"}
  ${"y = x * h.shape[-1] ** -0.5"}                      | ${"y[2,4,8]"}
  ${"y = torch.baddbmm(h, h, h)"}                       | ${"y[?]"}
  ${"y = torch.where(h > 0, h, 0.0)"}                   | ${"greater_1[?] y[?]"}
  ${"z = torch.zeros(4, 4)\nz[0] = h\ny = z + 1"}       | ${"z[4,4] setitem_1[4,4] y[4,4]"}
  ${"if h.shape[1] > 3:\n    raise ValueError('long')"} | ${""}
  ${"assert h.shape[-1] == 8, 'no'"}                    | ${""}
`(
  "after an unknown function $after gives $tensors, and only its cause is said",
  ({ after, tensors }) => {
    expect(shapesOf(`h = foo(x)\n${after}`)).toBe(`h[?] ${tensors}`.trim());
    expect(saidOf(`h = foo(x)\n${after}`)).toEqual(once);
  },
);

test.each`
  text                                            | said
  ${"y = Bar(3)(x)"}                              | ${once}
  ${"y = nn.LinearCrossEntropyLoss(8, 2)(x)"}     | ${once}
  ${"y = x.cholesky_inverse()"}                   | ${once}
  ${"y = foo(x) + foo(x)"}                        | ${once}
  ${"for row in foo(x):\n    print(row)"}         | ${[...once, "warning document/unknown-value"]}
  ${"n = len(foo(x))"}                            | ${[...once, "warning document/unknown-value"]}
  ${"for i in range(foo(x).size(0)):\n    x = x"} | ${[...once, "warning document/unknown-value"]}
  ${"if x.sum() > 0:\n    x = x + 1"}             | ${["warning document/branch-on-data"]}
  ${"while x.sum() > 0:\n    x = x - 1"}          | ${["warning document/branch-on-data"]}
  ${"assert x.sum() > 0"}                         | ${["info document/branch-on-data"]}
  ${"with Bar(1) as b:\n    y = x + 1"}           | ${[]}
  ${"a, b = next(iter(Bar(1)))\ny = x + a"}       | ${[]}
  ${"y = torch.tensor(Bar(1).rows) + x"}          | ${[]}
  ${"y = (x == Bar(1).label).float().mean()"}     | ${[]}
  ${"if Bar:\n    x = x + 1"}                     | ${["warning document/unknown-value"]}
`("$text says $said", ({ text, said }) => {
  expect(saidOf(text)).toEqual(said);
});

/** Diagnostics of a forward method's body, in which `h` has an unknown shape. */
const inBody = (body: string) =>
  saidOf(`class Net(nn.Module):
    def forward(self, x):
        h = foo(x)
        ${body.replaceAll("\n", "\n        ")}
        return x
y = Net()(x)
`).filter((line) => line !== once[0]);

const value = "warning document/unknown-value";

// Values unknown to the reading are no fault of the text: PyTorch runs all of these.
test.each`
  body                                                                                                          | said
  ${"b, d, e, device = *h.shape, h.device"}                                                                     | ${[]}
  ${"device, b, *d = h.device, *h.shape"}                                                                       | ${[]}
  ${"q, k, v = map(torch.relu, (x, *h))"}                                                                       | ${[value]}
  ${"for row in h:\n    last = row\nx = last + 1"}                                                              | ${[value]}
  ${"rows = [row + 1 for row in h]\nfirst, second = rows"}                                                      | ${[value]}
  ${"n = len(h)\nx = x + torch.zeros(n)"}                                                                       | ${[value]}
  ${"x = x.gather(1, h)"}                                                                                       | ${[]}
  ${"x = x.masked_fill(~h, 0.0)"}                                                                               | ${[]}
  ${"rows = x[0, 0].split(torch.unique(x).tolist())\nx = torch.stack(foo(x).unbind())"}                         | ${[value]}
  ${"ids = x.argmax(-1)\nrows = nn.utils.rnn.pad_sequence([torch.unique(t) for t in torch.unbind(ids)], True)"} | ${[value]}
`("$body is not refused: $said", ({ body, said }) => {
  expect(inBody(body)).toEqual(said);
});

test.each`
  rows                                 | said
  ${"((1, 8), (2, 8))"}                | ${[value]}
  ${"[(1, 8), (2, 8)]"}                | ${[value]}
  ${"range(3)"}                        | ${[]}
  ${"DataLoader(TensorDataset(x), 2)"} | ${[]}
`("a backward pass in each round over $rows: $said", ({ rows, said }) => {
  const text = `from torch.utils.data import DataLoader, TensorDataset
for each in ${rows}:
    net = nn.Linear(8, 8)
    net(x).sum().backward()
`;
  expect(saidOf(text).filter((line) => !line.startsWith("info"))).toEqual(said);
});

test("a condition on values inside a layer that runs often is said once", () => {
  const text = "def f(x):\n    return x if x.sum() > 0 else -x\nfor i in range(9):\n    x = f(x)\n";
  expect(saidOf(text)).toEqual(["warning document/branch-on-data"]);
});

test.each`
  text
  ${"import lib\nx = Tensor((4, 6))\nmesh = Mesh(dp=2)\ny = lib.foo(x, 3)\nz = y + x\n"}
  ${"from lib import foo\nx = Tensor((4, 6))\ny = foo(x)\n"}
  ${"x = Tensor((4, 6))\ny = mystery(x, x, 3)\n"}
  ${"import torch.nn.functional as F\nx = Tensor((4, 6))\ny = F.scaled_mm(x)\n"}
  ${"import torch\nclass My(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x): return lib.f(x)\nx = Tensor((4, 6))\ny = My.apply(x)\n"}
`("the fix writes an annotation with which $text is known", ({ text }) => {
  const { diagnostics } = readDocument(text);
  const fix = diagnostics
    .flatMap(({ fixes = [] }) => fixes)
    .find(({ title }) => /Write (an annotation|def)/.test(title));
  const mended = reading(applyEdits(text, fix?.edits ?? []));
  expect(mended.tensors).toContain("y[4,6]");
  expect(mended.tensors).not.toContain("?");
  expect(mended.said.filter((line) => /unknown-result|undefined-name|error/.test(line))).toEqual(
    [],
  );
});

test("an autograd function that nobody registered makes what its body makes", () => {
  const text = `import torch
class My(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.transpose(0, 1) * 2
x = Tensor((4, 6))
y = My.apply(x)
`;
  expect(reading(text).operators).toEqual(["y My a^ b^ -> 6^ 4^"]);
  expect(reading(text).said).toEqual(["warning nnscaler/unknown-function"]);
});

test.each`
  line                                              | isKnown
  ${"x[:, 0] = 0.0"}                                | ${true}
  ${"x.view(2, 2, 6)[:, 1].mul_(2.0)"}              | ${true}
  ${"x = F.dropout(x, 0.5)"}                        | ${true}
  ${"x = x.int()"}                                  | ${true}
  ${"x = x[x > 0]"}                                 | ${false}
  ${"x = lib.f(x)"}                                 | ${false}
  ${"if x.sum() > 0:\n            x = x.flatten()"} | ${false}
`("of a body with $line the shapes are known: $isKnown", ({ line, isKnown }) => {
  const text = `import torch
import torch.nn.functional as F
class My(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x = x.clone()
        ${line}
        return x.transpose(0, -1)
x = Tensor((4, 6))
y = My.apply(x)
`;
  expect(reading(text).operators).toEqual([isKnown ? "y My a^ b^ -> 6^ 4^" : "y My a^ b^ -> ?^"]);
});

test("no cost, run or plan is claimed of a program with a tensor of unknown shape", () => {
  const text =
    "mesh = Mesh(dp=2)\nx = Tensor((8, 4))\nw = Tensor((4, 4))\ny = mystery(x @ w)\nz = y @ w\nstrategy(z, m='dp')\n";
  const compiled = compile(text);
  const { cost, memory, plan, program } = compiled;
  expect(compiled.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect([cost.seconds, cost.bytes, memory.peakBytes]).toEqual([NaN, NaN, NaN]);
  expect(memory.inputBytes).toBe((32 + 16) * 4);
  const { traceBody } = readDocument(text);
  const ran = runPlan(plan, program, { seed: 1, values: "integers", traceBody });
  expect(ran.diagnostics.map(({ code }) => code)).toEqual(["execute/unknown-shape"]);
  const outcome = optimize({
    ...planQuestion(readDocument(text), { freesPlaces: false }),
    ends: new Map(),
  });
  expect(outcome).toMatchObject({ ok: false, diagnostic: { code: "planner/unknown-shape" } });
});

test("gradients of a tensor of unknown shape are unknown too", () => {
  const text = `${head}w2 = nn.Parameter(torch.randn(8, 8))\ny = foo(x) @ w2\ntrain(y.sum())\n`;
  const { program } = compile(text);
  const gradients = program.graph.tensors.filter(({ name }) => name.startsWith("y.grad"));
  expect(gradients.map(({ isUnknown }) => isUnknown)).toEqual([true]);
});

test.each([
  "y = x.reshape(2, n, -1)",
  "y = x.reshape((2, n, -1))",
  "y = x.view(n, -1)",
  "y = x.expand(n, -1, 4, 8)",
  "y = x.repeat(1, n, 2)",
  "y = F.interpolate(x, size=n, mode='linear')",
  "y = F.adaptive_avg_pool1d(x, n)",
  "y = F.interpolate(x, size=max(n, 4) * 2 - 1, mode='linear')",
])("a size of something unknown makes the result unknown, and is never left out: %s", (text) => {
  expect(saidOf(`n = foo(x).shape[0]\n${text}`)).toEqual(once);
  expect(shapesOf(`n = foo(x).shape[0]\n${text}`)).toContain("y[?]");
});

test("a size that is a value of a tensor is said, also in a row of sizes", () => {
  const text = "m = int(x.max().item())\ny = x.reshape(2, m, -1)";
  expect(saidOf(text)).toContain("warning document/unknown-value");
  expect(shapesOf(text)).toContain("y[?]");
});

test("a tensor is not expanded to fewer dims than it has", () => {
  expect(saidOf("y = x.expand(2)")).toEqual(["error python/runtime-error RuntimeError"]);
});

test("what torch fills with other numbers than 0 decides no branch as 0", () => {
  expect(saidOf("y = x if torch.eye(1) == 0 else w")).toContain("warning document/branch-on-data");
});

test("the same unknown value at several places is said once", () => {
  const text = "import sys\nrows = sys.argv\nfor a in rows:\n    pass\nfor b in rows:\n    pass\n";
  const { diagnostics } = readDocument(`${text}y = Tensor((2,)) + 1\n`);
  expect(diagnostics.map(({ code }) => code)).toEqual(["document/unknown-value"]);
});

test("of a loop around an object of which nothing is known one round is drawn, which is said", () => {
  const text = "bar = Bar(3)\nfor i in range(200):\n    x = bar(x) / 0.8";
  expect(shapesOf(text)).toBe("Bar()_1[?] x#2[?]");
  expect(saidOf(text)).toEqual([...once, "warning document/unknown-value"]);
  expect(shapesOf("for i in range(3):\n    x = foo(x)").split(" ").length).toBe(3);
});

test("no loop of a forward pass ends early", () => {
  const net = `class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Bar(3) for _ in range(6)])
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
y = Net()(x)`;
  expect(shapesOf(net)).toMatch(/^(x#?\d*\[\?\] ){5}y\[\?\]$/u);
});

test("a tensor of data that nobody knows has the data type that it is given, or any, and its cause is said", () => {
  const given = (rest: string) =>
    `import tiktoken\nids = torch.tensor(tiktoken.get_encoding("gpt2").encode("a")${rest})\n`;
  const ids = `y = nn.Embedding(9, 4)(ids.unsqueeze(0))`;
  expect(saidOf(given("") + ids)).toEqual(["warning document/unknown-value"]);
  const text = given(", dtype=torch.long");
  const { graph } = readDocument(head + text + ids);
  expect(graph.tensors.find(({ name }) => name === "ids")?.dtype).toBe("i64");
});

test.each`
  text                                                                               | tensors
  ${"class C(Bar):\n    pass\ny = x + C.scale"}                                      | ${"y[?]"}
  ${"@foo('conf')\ndef f(cfg):\n    return x + 1\ny = f()"}                          | ${"y[2,4,8]"}
  ${"@foo\ndef f(a):\n    pass\nf[(1, 2)](x)\nfor c in f.configs:\n    pass\ny = x"} | ${"foo_1[?]"}
`(
  "what an unknown base or decorator may give is no fault of the text: $text",
  ({ text, tensors }) => {
    expect(saidOf(text).filter((line) => line.startsWith("error"))).toEqual([]);
    expect(shapesOf(text)).toBe(tensors);
  },
);

test.each`
  about                                | text                                                                                                                                                                               | tensors
  ${"a member of a base beside a net"} | ${"from hub import Mixin\nclass N(nn.Module, Mixin):\n    def forward(self, x):\n        return x + 1\nn = N()\nn.push('a')\ny = n(x)"}                                            | ${"y[2,4,8]"}
  ${"a base behind a plain class"}     | ${"from nets import ViT\nclass M:\n    def forward(self, x):\n        return x + 1\nclass N(M, ViT):\n    def __init__(self, **k):\n        super().__init__(**k)\ny = N(d=4)(x)"} | ${"y[2,4,8]"}
  ${"an item under an unknown key"}    | ${"import rpc\nrows = {'a': 1}\nrows[rpc.info().id]\nrows.pop(rpc.info().id)\ny = x + 1"}                                                                                          | ${"y[2,4,8]"}
  ${"a member of an unknown result"}   | ${"import corpora\ndef f(rows):\n    return rows.size(0) // 2\nf(corpora.Corpus('a').train)\ndef train():\n    pass\ny = x + 1"}                                                   | ${"y[2,4,8]"}
  ${"a name that Python has"}          | ${"from typing import get_args\nget_args(int)\ny = x + 1"}                                                                                                                         | ${"y[2,4,8]"}
`("$about is no fault of the text", ({ text, tensors }) => {
  expect(saidOf(text).filter((line) => line.startsWith("error"))).toEqual([]);
  expect(shapesOf(text)).toContain(tensors);
});

test("a large table of numbers has its shape, without all its rows being computed", () => {
  const row = "[p / (10000 ** (2 * (i // 2) / 400)) for i in range(400)]";
  const text = `table = torch.tensor([${row} for p in range(3000)])\nz = table + 1`;
  expect(shapesOf(text)).toBe("table[3000,400] z[3000,400]");
  expect(saidOf(text)).toEqual([]);
});

test("what a traced module has besides is unknown", () => {
  const text = `net = torch.fx.symbolic_trace(nn.Linear(8, 8))
for node in net.graph.nodes:
    print(node.op)
torch.jit.script(net).save("net.pt")
y = net(x)`;
  expect(saidOf(text).filter((line) => line.startsWith("error"))).toEqual([]);
  expect(shapesOf(text)).toContain("y[2,4,8]");
});

test.each`
  after                                                                                    | said
  ${"y = x\nif h.size(0) > 2:\n    y = x[:1]"}                                             | ${"which way this goes"}
  ${"y = x[:1] if h.shape[1] > 3 else x"}                                                  | ${"which way this goes"}
  ${"rows = []\nwhile len(rows) < h.size(0) - 1:\n    rows += [x]\ny = torch.stack(rows)"} | ${"how often this runs"}
`("that a size of what nobody knows decides is said: $after", ({ after, said }) => {
  const { diagnostics } = readDocument(`${head}h = foo(x)\n${after}\n`);
  const found = diagnostics.filter(({ code }) => code === "document/unknown-value");
  expect(found.map(({ message }) => message)).toEqual([expect.stringContaining(said)]);
  expect(diagnostics.some(({ severity }) => severity === "error")).toBe(false);
});
