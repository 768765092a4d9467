import { describe, expect, test } from "vitest";
import { readDocument } from "#systems";

const model = `import torch.nn as nn
import torch.nn.functional as F
mesh = Mesh(dp=2, tp=2)
class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(8, 16, bias=False), nn.Linear(16, 8, bias=False)
    def forward(self, x):
        return self.down(F.gelu(self.up(x)))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mlps = nn.ModuleList(Mlp() for _ in range(3))
        self.head = nn.Linear(8, 4, bias=False)
    def forward(self, x):
        for mlp in self.mlps:
            x = mlp(x)
        return self.head(x)
y = Net()(Tensor((4, 8)))
`;

/** Cuts as `path: name/axes`, and the diagnostics. */
function cutsOf(lines: string) {
  const { graph, requests, diagnostics } = readDocument(`${model}${lines}\n`);
  const cuts = [...requests.operators].flatMap(([id, { strategy }]) => {
    const own = Object.entries(strategy.cuts).map(
      ([name, parts]) => `${name}/${parts.map((part) => (part.kind === "axis" ? part.axis : ""))}`,
    );
    const operator = graph.operators.find((each) => each.id === id);
    return [`${operator?.module}: ${own.join(" ")}`];
  });
  return { cuts, said: diagnostics.map(({ code, message }) => `${code} ${message}`) };
}

describe("a layer is named by its path", () => {
  test.each`
    lines                                                                     | cuts
    ${'strategy("mlps[1].up", n="tp")'}                                       | ${["mlps[1].up: n/tp"]}
    ${'strategy("mlps[*].up", n="tp")'}                                       | ${["mlps[0].up: n/tp", "mlps[1].up: n/tp", "mlps[2].up: n/tp"]}
    ${'strategy("head", n="tp")'}                                             | ${["head: n/tp"]}
    ${'strategy("mlps[1].*", n="tp")\nstrategy("mlps[1].up", n="dp")'}        | ${["mlps[1].up: n/dp"]}
    ${'strategy("mlps[0].up", n="dp")\nstrategy("mlps[*].up", n="tp")'}       | ${["mlps[0].up: n/dp", "mlps[1].up: n/tp", "mlps[2].up: n/tp"]}
    ${'strategy("mlps[0].linear_1", n="dp")\nstrategy("mlps[0].up", n="tp")'} | ${["mlps[0].up: n/tp"]}
    ${'strategy("mlps[0].up", n="dp")\nstrategy("mlps[0].linear_1", n="tp")'} | ${["mlps[0].up: n/tp"]}
  `("$lines", ({ lines, cuts }) => {
    const found = cutsOf(lines);
    expect(found.cuts.filter((each) => cuts.includes(each))).toEqual(cuts);
    if (!lines.includes(".*")) expect(found).toMatchObject({ cuts, said: [] });
  });

  test("a module that makes several operators is none of them", () => {
    expect(cutsOf('strategy("mlps[*]", n="tp")')).toEqual({
      cuts: [],
      said: [
        'document/several-operators "mlps[*]" is a module of 3 operators; name one of them: "mlps[0].up", "mlps[0].gelu_1", "mlps[0].down"',
      ],
    });
    expect(cutsOf('strategy("mlp[*].up", n="tp")').said).toEqual([
      'document/no-such-operator no operator is called "mlp[*].up"',
    ]);
  });

  test("pin(…) of a module pins all that it makes", () => {
    const { pins, graph, diagnostics } = readDocument(`${model}pin("mlps[1]", "head")\n`);
    const pinned = graph.operators.filter(({ id }) => pins.operators.has(id));
    expect(pinned.map(({ module }) => module)).toEqual([
      ...["mlps[1].up", "mlps[1]", "mlps[1].down", "head"],
    ]);
    expect(diagnostics).toEqual([]);
  });
});

test.each(["out", "z"])("strategy(%j) means what a function calls z and a variable out", (name) => {
  const lines = `def product(a, b):
    z = a @ b
    return z
out = product(Tensor((64, 16)), Tensor((16, 32)))
strategy("${name}", m="dp")`;
  expect(cutsOf(lines)).toEqual({ cuts: ["product: m/dp"], said: [] });
});
