import { describe, expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { compileDocument } from "#compile";
import { readDocument } from "#systems";
import { type PlanSentence, patternSentences } from "./pattern-sentences.ts";

function sentencesOf(source: string): readonly PlanSentence[] {
  const document = readDocument(source);
  const { graph, mesh, plan } = compileDocument(document);
  return patternSentences({
    graph: document.graph,
    mesh: mesh.mesh,
    strategies: new Map(
      graph.operators.flatMap(({ id }) => {
        const strategy = plan.operators.get(id)?.strategy;
        return strategy === undefined ? [] : [[id, strategy] as const];
      }),
    ),
    rest: new Map([...plan.placements].map(([id, { layout }]) => [id, layout])),
    ...(document.training !== undefined && { zero: document.training.zero }),
  });
}

function textsOf(source: string): readonly string[] {
  return sentencesOf(source).map((sentence) =>
    sentence
      .map((part) => (typeof part === "string" ? part : "axis" in part ? part.axis : part.strong))
      .join(""),
  );
}

function exampleOf(name: string): string {
  const example = examples.find((each) => each.name === name);
  if (example === undefined) throw new Error(`no example ${name}`);
  return exampleText(example);
}

test.each<readonly [string, readonly string[]]>([
  [
    "data-parallel",
    [
      "Data parallel over dp: each device works on 1/4 of the data with the same weights, whose gradients are added up.",
    ],
  ],
  [
    "zero",
    [
      "ZeRO-1 over dp: each device works on 1/4 of the data with the same weights and keeps a part of the optimizer's state.",
    ],
  ],
  [
    "fsdp",
    [
      "FSDP over dp: each device works on 1/8 of the data, stores 1/8 of every weight and gathers it where it is used.",
    ],
  ],
  [
    "megatron-mlp",
    [
      "Megatron over tp: the weights of h are cut by columns, those of y by rows, so that each pair exchanges nothing but its sums.",
    ],
  ],
  [
    "sequence-parallel",
    [
      "Megatron with sequence parallelism over tp: the weights of h are cut by columns, those of y by rows; between the pairs the tokens lie cut, so that each pair begins with a gather and ends in a scattered sum.",
    ],
  ],
  [
    "transformer-stack",
    [
      "Data parallel over dp: each device works on 1/2 of the data with the same weights.",
      "Megatron over tp: the weights of h are cut by columns, those of o by rows, so that each pair exchanges nothing but its sums.",
    ],
  ],
  [
    "two-d-weights",
    [
      "FSDP over X: each device works on 1/4 of the data, stores 1/16 of every weight and gathers it where it is used.",
      "Megatron over Y: the weights of tmp are cut by columns, those of out by rows, so that each pair exchanges nothing but its sums.",
    ],
  ],
  [
    "expert-parallel",
    ["Expert parallel over ep: each device has 1/4 of the experts of up and down."],
  ],
  ["vocabulary-embedding", ["Vocabulary parallel over tp: the rows of the table of e are cut."]],
  [
    "vocabulary-loss",
    [
      "Loss parallel over tp: the weights of logits are cut by columns; who reads that combines a few sums in place of gathering it.",
    ],
  ],
  [
    "mesh-8x8x8",
    [
      "Data parallel over x: each device works on 1/8 of the data with the same weights.",
      "2-D weights over y, z: one axis cuts the columns, the other the rows of every weight of h and y.",
    ],
  ],
  ["uneven-dim", ["dp cuts the data in h."]],
])("%s", (name, sentences) => {
  expect(textsOf(exampleOf(name))).toEqual(sentences);
});

const layers = `x = Tensor((64, 32), "bf16")
w1 = Parameter((32, 128), "bf16")
w2 = Parameter((128, 32), "bf16")
w3 = Parameter((32, 64), "bf16")
up = matmul(x, w1)
down = matmul(up, w2)
head = matmul(down, w3)
`;

describe("an axis that makes no one pattern", () => {
  test("says what it cuts, by what that is to the weights", () => {
    expect(
      textsOf(
        `mesh = Mesh(a=2, b=2)\n${layers}strategy(up, m="a")\nstrategy(down, m="a")\nstrategy(head, n="a")\n`,
      ),
    ).toEqual([
      "a cuts the data in up and down; the columns of head.",
      "b cuts nothing: the devices along it do the same work.",
    ]);
  });
});

test("equal layers have a pattern of their own where the rest is cut otherwise", () => {
  const net = `import torch.nn as nn
mesh = Mesh(dp=2, tp=4)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(64, 256, bias=False)
        self.out = nn.Linear(256, 64, bias=False)
    def forward(self, x):
        x = x + self.out(self.fc(x))
        return x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(4))
        self.head = nn.Linear(64, 512, bias=False)
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)
y = Net()(Tensor((32, 64), "f32"))
strategy("blocks[*].fc", a=("dp", "tp"))
strategy("blocks[*].out", a=("dp", "tp"))
strategy("blocks[*].x", a=("dp", "tp"))
strategy(y, a="dp", n="tp")
`;
  expect(textsOf(net)).toEqual([
    "Data parallel over dp: each device works on 1/2 of the data with the same weights.",
    "Data parallel over tp in blocks: each device works on 1/4 of the data with the same weights; elsewhere tp cuts the columns of head.",
  ]);
});
