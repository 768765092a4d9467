import fc from "fast-check";
import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { reading } from "./reading.testing.ts";

const runs = process.env.SOAK ? 10_000 : 50;

const registeringForEver = `import nnscaler
while True:
    @nnscaler.register_op("a -> a")
    def f(x): return x
`;

const cutsOfManyDevices = `from mindspore import ops
y = ops.MatMul().shard(((10**9, 4), (4, 1)))(Tensor((10**9, 4)), Tensor((4, 8)))
`;

const texts = [
  `import nnscaler
@nnscaler.register_op('(h^ m^) kd+, kd+ n -> h^ m^ n', name='matmul_custom')
def operator(x: torch.Tensor, w: torch.Tensor, h: float) -> torch.Tensor:
    return torch.matmul(x, w).view(h, -1, w.size(1))
def PAS(graph: IRGraph, resource):
    for node in graph.nodes():
        if node.name == 'matmul_custom':
            subnodes = graph.partition(node, node.algorithm('dim'), **dict(idx=0, dim=1, num=resource.ngpus))
    return graph
mesh = Mesh(gpus=4)
out = operator(Tensor((8, 16)), Parameter((16, 32)), 2)
`,
  `import mindspore.nn as nn
from mindspore import ops, Layout
from mindspore.parallel.auto_parallel import AutoParallel
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        layout = Layout((2, 2), alias_name=("dp", "mp"))
        self.mm = ops.MatMul().shard((layout("dp", "None"), layout("None", "mp")))
    def construct(self, x, w):
        return self.mm(x, w)
net = AutoParallel(Net(), parallel_mode='semi_auto')
shapes(x=(8, 4), w=(4, 8))
`,
  `import torch.nn as nn
class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(d, d) for _ in range(2)])
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)[..., None].squeeze(-1)
        return x
mesh = Mesh(dp=2)
strategy("linear_*", {"a": "dp"})
`,
];

test("no text makes the reading throw, however it is damaged", () => {
  const damaged = fc.tuple(
    fc.constantFrom(...texts),
    fc.nat(),
    fc.nat(9),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(damaged, ([text, at, length, put]) => {
      const from = at % text.length;
      const changed = text.slice(0, from) + put + text.slice(from + length);
      for (const each of [changed, text.slice(0, from)]) {
        const { diagnostics } = readDocument(each);
        for (const { span } of diagnostics) {
          if (span === undefined) continue;
          expect(span.from).toBeGreaterThanOrEqual(0);
          expect(span.to).toBeLessThanOrEqual(each.length);
        }
      }
    }),
    { seed: 1, numRuns: runs },
  );
});

test.each`
  text
  ${"t = ()\nfor i in range(100): t = (t, t)\n"}
  ${"t = []\nt.append(t)\nt.append(t)\n"}
`(
  "what a variable of $text holds is looked into once, however often it stands there",
  ({ text }) => {
    expect(reading(`${text}x = Tensor((8, 8))\ny = gelu(x)`).tensors).toBe("x[8,8] y[8,8]");
  },
);

test("reading a text twice gives the same", () => {
  for (const text of texts) expect(reading(text)).toEqual(reading(text));
});

test.each`
  text                                                                | code
  ${"x = Tensor((8, 8))\nwhile True:\n    x = x + 1"}                 | ${"document/too-many-operators"}
  ${"x = Tensor((8, 8))\nwhile True:\n    x = x[None]"}               | ${"document/too-many-dims"}
  ${"x = Tensor((8,) * 1000)"}                                        | ${"python/value-error"}
  ${"x = Tensor((8, 8))\nfor i in range(13): y = concat([x] * 5000)"} | ${"document/too-many-operands"}
  ${"x = [Parameter((8, 8)) for _ in range(10**6)]"}                  | ${"document/too-many-tensors"}
  ${"import torch\ny = torch.split(Tensor((10**9, 8)), 1)"}           | ${"document/too-many-results"}
  ${"import torch\ny = torch.chunk(Tensor((10**9, 8)), 10**8)"}       | ${"document/too-many-results"}
  ${registeringForEver}                                               | ${"document/too-many-registered"}
  ${cutsOfManyDevices}                                                | ${"mesh/too-many-devices"}
`("$text ends in $code", ({ text, code }) => {
  expect(reading(text).said.join()).toContain(code);
});

// architecture.md §2: open sizes are divisible by the axes that split them, and match known sizes
test.each`
  text                                                                                                                | tensors
  ${"x = Tensor()\ny = x @ Tensor((5, 7))"}                                                                           | ${"x[8,5] input_1[5,7] y[8,7]"}
  ${'mesh = Mesh(d=3)\nx = Tensor()\ny = relu(x)\nstrategy(y, a="d")'}                                                | ${"x[9,8] y[9,8]"}
  ${"x = Tensor()\nshapes(x=(2, 3, 4))\ny = relu(x)"}                                                                 | ${"x[2,3,4] y[2,3,4]"}
  ${"x = Tensor()\nb, s = x.shape\ny = x.view(b * s)\nshapes(x=(6, 4))"}                                              | ${"x[6,4] y[24]"}
  ${"# annotation: (h t) k -> h t k\ndef f(x, h): ...\nmesh = Mesh(d=6)\ny = f(Tensor((12, 2)))\nstrategy(y, h='d')"} | ${"input_1[12,2] y[6,2,2]"}
`("$text has the shapes $tensors", ({ text, tensors }) => {
  expect(reading(text).tensors).toBe(tensors);
});

test("10,000 operators are read, and a loop without end has only a few more", () => {
  const readOf = (loop: string) =>
    readDocument(`x = Tensor((8, 8))\n${loop}:\n    x = gelu(x)`).graph.operators.length;
  expect(readOf("for i in range(10_000)")).toBe(10_000);
  expect(readOf("while True")).toBeLessThan(15_000);
});

test("a word that Tensor does not take is named", () => {
  const { diagnostics } = readDocument("x = Tensor((8, 4), start=0)\n");
  expect(diagnostics.map(({ message }) => message)).toEqual([
    'Tensor() has no "start": it takes shape, dtype',
  ]);
});

test.each([
  ['Tensor((8, 4), ("a", "b"))', "takes one shape and one data type"],
  ["Parameter((8, 4), 3)", "takes one shape and one data type"],
  ["Tensor(8, 4)", "takes one shape and one data type"],
  ["Tensor((8, 4), (2,))", "takes one shape and one data type"],
  ['Tensor((8, 4), "bf16", "f32")', "takes one shape and one data type"],
  ["Tensor(3.5)", "takes one shape and one data type"],
  ["Tensor((8, 4), dtype=3)", '"3" is no data type'],
])("what %s says is not passed over: it %s", (call, said) => {
  const { diagnostics } = readDocument(`x = ${call}\n`);
  expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining(said)]);
});

test.each([
  ["m", 'takes identifiers by name, e.g. m="d"', 'm="d"'],
  ["m=d", '"m" takes the name of a mesh axis in quotes: "d"', '"d"'],
  ["3", 'takes identifiers by name, e.g. b="d"', undefined],
  ["m=3", '"m" takes a mesh axis name or a tuple of them', undefined],
])("strategy(y, %s) is answered by %s", (cut, said, fix) => {
  const { diagnostics } = readDocument(
    `mesh = Mesh(d=4)\nx = Tensor((8, 4))\ny = relu(x)\nstrategy(y, ${cut})\n`,
  );
  const fault = diagnostics.find(({ severity }) => severity === "error");
  expect(fault?.message).toContain(said);
  expect(fault?.fixes?.[0]?.edits[0]?.text).toBe(fix);
});

test.each(["Tensor((8, 4), None)", "Tensor((8, 4), dtype=None)", "Tensor(shape=(8, 4))"])(
  "%s has the data type that stands for none",
  (call) => {
    const { diagnostics, graph } = readDocument(`x = ${call}\n`);
    expect(diagnostics).toEqual([]);
    expect(graph.tensors.map(({ shape, dtype }) => `${shape} ${dtype}`)).toEqual(["8,4 f32"]);
  },
);

test.each`
  made
  ${"x * w"}
  ${"w + x"}
  ${"add(x, w)"}
`("a name that only shapes() gives a shape to is a tensor beside others: $made", ({ made }) => {
  const { diagnostics, graph } = readDocument(
    `w = Tensor((16,))\ny = ${made}\nshapes(x=(8, 16))\n`,
  );
  expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([
    ["document/undefined-name", "warning"],
  ]);
  const shapes = graph.tensors.map(({ name, shape }) => `${name} ${shape}`);
  expect(shapes.toSorted()).toEqual(["w 16", "x 8,16", "y 8,16"]);
});
