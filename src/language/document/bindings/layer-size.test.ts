import { expect, test } from "vitest";
import { readDocument } from "#systems";

const torch = "import torch.nn as nn\nx = Tensor((4, 6))\n";
const mindspore = "from mindspore import nn\nx = Tensor((4, 6))\n";

function read(text: string) {
  const { diagnostics, modules } = readDocument(text);
  return {
    said: diagnostics
      .filter(({ code }) => code === "document/assumed-size" || code.startsWith("python/"))
      .map(({ severity, message, upstream }) => `${severity} ${message} ${upstream}`),
    parameters: modules.get("net"),
    assumed: diagnostics.some(({ code }) => code === "document/assumed-shape"),
  };
}

test.each`
  layer                             | size
  ${"nn.Linear(6)"}                 | ${'Linear() is not given "out_features"'}
  ${"nn.Embedding(6)"}              | ${'Embedding() is not given "embedding_dim"'}
  ${"nn.LayerNorm()"}               | ${'LayerNorm() is not given "normalized_shape"'}
  ${"nn.GroupNorm(2)"}              | ${'GroupNorm() is not given "num_channels"'}
  ${"nn.BatchNorm1d()"}             | ${'BatchNorm1d() is not given "num_features"'}
  ${"nn.Conv1d(6, out_channels=3)"} | ${'Conv1d() is not given "kernel_size"'}
`("$layer says that a size is assumed", ({ layer, size }) => {
  expect(read(`${torch}net = ${layer}\n`).said).toEqual([
    `warning ${size}: a size is assumed TypeError`,
  ]);
});

test.each`
  layer                 | size
  ${"nn.Dense(6)"}      | ${'Dense() is not given "out_channels"'}
  ${"nn.Embedding(6)"}  | ${'Embedding() is not given "embedding_size"'}
  ${"nn.Linear(6)"}     | ${'Linear() is not given "out_features"'}
  ${"nn.LayerNorm()"}   | ${'LayerNorm() is not given "normalized_shape"'}
  ${"nn.BatchNorm2d()"} | ${'BatchNorm2d() is not given "num_features"'}
`("$layer of MindSpore says that a size is assumed", ({ layer, size }) => {
  expect(read(`${mindspore}net = ${layer}\n`).said).toEqual([
    `warning ${size}: a size is assumed TypeError`,
  ]);
});

test.each`
  layer                        | said
  ${"nn.Linear(6, 'wide')"}    | ${"out_features of Linear must be an integer, not wide"}
  ${"nn.Linear(None, 3)"}      | ${"in_features of Linear must be an integer, not None"}
  ${"nn.Linear(6, 12 / 4)"}    | ${"out_features of Linear must be an integer, not the float 3.0"}
  ${"nn.Embedding((6, 2), 3)"} | ${"num_embeddings of Embedding must be an integer, not (6, 2)"}
  ${"nn.LayerNorm([6, 2.5])"}  | ${"normalized_shape of LayerNorm must be an integer, not the float 2.5"}
  ${"nn.Conv2d(6, 3, 'same')"} | ${"kernel_size of Conv2d must be an integer, not same"}
`("$layer is refused", ({ layer, said }) => {
  expect(read(`${torch}net = ${layer}\n`).said[0]).toContain(said);
});

// The order of keyword arguments does not matter.
test.each`
  text                                                                                      | parameters
  ${`${torch}net = nn.Linear(out_features=3, in_features=6)`}                               | ${21}
  ${`${torch}net = nn.Linear(bias=False, out_features=3, in_features=6)`}                   | ${18}
  ${`${torch}net = nn.Embedding(embedding_dim=3, num_embeddings=5)`}                        | ${15}
  ${`${torch}net = nn.Conv2d(out_channels=3, kernel_size=(2, 3), in_channels=6, groups=3)`} | ${39}
  ${`${mindspore}net = nn.Dense(out_channels=3, in_channels=6)`}                            | ${21}
  ${`${mindspore}net = nn.Embedding(embedding_size=3, vocab_size=5)`}                       | ${15}
`("$text has $parameters parameters", ({ text, parameters }) => {
  expect(read(`${text}\n`)).toEqual({ said: [], parameters, assumed: false });
});

test("a size that follows from what the layer reads is no default", () => {
  const net = `${torch}net = nn.Conv2d(WIDTH, 3, 2)\n`;
  expect(read(`${net}y = net(Tensor((1, 6, 8, 8)))\n`).parameters).toBe(75);
  expect(read(net).assumed).toBe(true);
});

/** Parameter counts are `undefined` when an unknown member could hold parameters in PyTorch. */
test.each`
  made                                                                 | parameters
  ${"self.b = nn.Linear(4, 4)"}                                        | ${40}
  ${"self.b = Head(4, 10)"}                                            | ${undefined}
  ${"self.b = Head(4, 10)\n        self.width = self.b.width"}         | ${undefined}
  ${"self.b = HeadConfig(4, 10)"}                                      | ${20}
  ${"self.b = nn.ModuleList(nn.Linear(4, 4) for _ in range(depth()))"} | ${undefined}
  ${"self.b = nn.Linear(4, 4) if depth() > 2 else None"}               | ${undefined}
  ${"self.b = depth()"}                                                | ${20}
`("the parameters of a module that is made by $made", ({ made, parameters }) => {
  const text = `from torch import nn
from heads import Head, HeadConfig, depth
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        ${made}
    def forward(self, x):
        return self.a(x)
net = Net()
y = net(Tensor((2, 4)))
`;
  expect(readDocument(text).modules.get("net")).toBe(parameters);
});
