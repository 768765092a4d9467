import { expect, test } from "vitest";
import { readDocument } from "#systems";

const head = `import inspect
import torch
from torch import nn
def scaled(x, by=2, *rest, way="up", **more):
    return x
class Net(nn.Module):
    def __init__(self, dim, heads=4):
        super().__init__()
        self.generator = torch.Generator()
        self.proj = nn.Linear(dim, heads)
    def forward(self, x, mask=None):
        return self.proj(x)
net = Net(8)
of = lambda f: inspect.signature(f).parameters
`;

function read(lines: string) {
  const { diagnostics, graph, modules } = readDocument(`${head}${lines}\n`);
  const y = graph.tensors.find(({ name }) => name === "y");
  return {
    shape: y?.isUnknown === true ? "unknown" : y?.shape,
    said: diagnostics.filter(({ severity }) => severity !== "info").map(({ message }) => message),
    count: modules.get("net"),
  };
}

/** Results as in CPython 3.11 and PyTorch 2.13. */
test.each`
  condition
  ${"list(of(scaled)) == ['x', 'by', 'rest', 'way', 'more']"}
  ${"of(scaled)['by'].default == 2 and of(scaled)['way'].name == 'way'"}
  ${"of(scaled)['x'].default is inspect.Parameter.empty"}
  ${"of(scaled)['by'].default is not inspect.Parameter.empty"}
  ${"[p.kind for p in of(scaled).values()][2] == inspect.Parameter.VAR_POSITIONAL"}
  ${"'mask' in of(net.forward) and 'self' not in of(net.forward)"}
  ${"list(of(Net)) == ['dim', 'heads'] and len(of(Net.forward)) == 3"}
  ${"'fused' in of(torch.optim.AdamW)"}
  ${"'fused' not in of(torch.optim.RMSprop)"}
`("$condition holds", ({ condition }) => {
  const { shape, said } = read(`y = torch.zeros(3) if ${condition} else torch.zeros(5)`);
  expect({ shape, said }).toEqual({ shape: [3], said: [] });
});

test("of a function that is not of the text nothing is known, which is said", () => {
  const { said } = read(
    "y = torch.zeros(3) if 'eps' in of(nn.functional.layer_norm) else torch.zeros(5)",
  );
  expect(said).toEqual([
    'which way this goes depends on "inspect.signature().parameters", which is not known here: read as if it did not hold',
  ]);
});

test.each`
  made                                  | shape
  ${"globals()['Net'](6)"}              | ${[2, 4]}
  ${"globals().get('Net')(6, heads=3)"} | ${[2, 3]}
  ${"globals().get('Other', Net)(6)"}   | ${[2, 4]}
`("$made is the text's own", ({ made, shape }) => {
  expect(read(`y = ${made}(torch.randn(2, 6))`)).toEqual({ shape, said: [], count: 36 });
});

test.each`
  line
  ${"globals()['Other'] = 3"}
  ${"names = [k for k, v in globals().items()]"}
  ${"globals().update(a=1)"}
`("what else $line asks of globals() is said", ({ line }) => {
  expect(read(line).said[0]).toBe("globals() is not run here: what it gives is not known");
});

test("a module that holds a generator has as many parameters as its layers", () => {
  expect(read("y = net(torch.randn(2, 8))")).toEqual({ shape: [2, 4], said: [], count: 36 });
});
