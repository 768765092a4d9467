import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile } from "#compile";
import { isCutAs } from "#core/plan";
import type { Document } from "#language/document";
import { optimize } from "#planner";
import { readDocument } from "#systems";
import { planIntoText } from "./plan-into-text.ts";
import { planQuestion } from "./plan-question.ts";
import { costsOf, plannedCosts } from "./planned-costs.ts";

/** The fastest plan of a document under the program's own costs. */
function planned(document: Document) {
  const { plan: _, ...question } = planQuestion(document, { freesPlaces: true });
  const outcome = optimize({ ...question, ends: new Map() });
  if (!outcome.ok) throw new Error(outcome.diagnostic.message);
  const { strategies, layouts } = outcome.value;
  return { strategies, ...layouts };
}

/**
 * Writes a plan into its text, and expects the new text to have exactly this plan and its costs.
 */
function written(program: string) {
  const document = readDocument(program);
  const plan = planned(document);
  const text = planIntoText(document, plan);
  if (!text.ok) throw new Error(text.diagnostic.message);
  const after = compile(text.source);
  expect(after.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  for (const [id, strategy] of plan.strategies) {
    const own = after.plan.operators.get(id);
    expect(own && isCutAs(own, strategy, after.mesh.mesh), `strategy of ${id}`).toBe(true);
  }
  const [taken, said] = [costsOf(after), plannedCosts(document, plan)];
  expect(taken.seconds).toBeCloseTo(said.seconds, 12);
  expect(taken.bytes).toBe(said.bytes);
  return { source: text.source, notes: text.notes.map(({ message }) => message) };
}

const semiAuto = (devices: number) =>
  `ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=${devices}, dataset_strategy="full_batch")`;

interface NetOptions {
  readonly setting?: string;
  readonly init?: string;
  readonly construct?: string;
  readonly shape?: string;
}

/** Two products with a ReLU between them, as MindSpore users write them. */
const net = ({
  setting = semiAuto(8),
  init = "self.matmul1 = ops.MatMul()\n        self.relu = ops.ReLU()\n        self.matmul2 = ops.MatMul()",
  construct = "self.matmul2(self.relu(self.matmul1(x, self.w1)), self.w2)",
  shape = "(8, 1024)",
}: NetOptions = {}) => `import mindspore as ms
from mindspore import nn, ops, Parameter, Tensor
from mindspore.common.initializer import initializer

${setting}

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w1 = Parameter(initializer("normal", (1024, 4096), ms.float16))
        self.w2 = Parameter(initializer("normal", (4096, 1024), ms.float16))
        ${init}

    def construct(self, x):
        return ${construct}

net = Net()
y = net(Tensor(shape=${shape}, dtype=ms.float16))
`;

describe("MindSpore", () => {
  test("primitives that nobody split get .shard(…) with tuples", () => {
    const { source, notes } = written(net());
    expect(source).toContain("self.matmul1 = ops.MatMul().shard(((1, 1), (1, 1)))");
    expect(source).toContain("self.relu = ops.ReLU().shard(((1, 1),))");
    expect(source).toContain("self.matmul2 = ops.MatMul().shard(((1, 1), (1, 8)))");
    expect(source).not.toContain("strategy(");
    expect(notes).toEqual([]);
  });

  test("what MindSpore does by itself is not written", () => {
    const program = net({ shape: "(512, 1024)" });
    expect(written(program).source).toBe(program);
  });

  test("axes that numbers of pieces cannot name are named by a Layout of the mesh", () => {
    const program = net({ setting: 'mesh = Mesh(dp=2, tp=4, hardware="8xH100")' });
    const { plan } = compile(
      `${program}strategy("matmul_1", n="tp")\nstrategy("relu_1", b="tp")\nstrategy(y, k="tp", n="dp")\n`,
    );
    const strategies = new Map([...plan.operators].map(([id, { strategy }]) => [id, strategy]));
    const text = planIntoText(readDocument(program), {
      strategies,
      rest: new Map(),
      ends: new Map(),
    });
    if (!text.ok) throw new Error(text.diagnostic.message);
    const { source, notes } = text;
    expect(source).toContain(
      'from mindspore import Layout\n\nlayout = Layout((2, 4), ("dp", "tp"))\n',
    );
    expect(source).toContain(".shard((layout(");
    expect(source).not.toContain("strategy(");
    expect(notes).toEqual([]);
  });

  test("a .shard(…) that says something else is written anew, also from tuples to layouts", () => {
    const init =
      "self.matmul1 = ops.MatMul().shard(((2, 1), (1, 4)))\n        self.relu = ops.ReLU()\n        self.matmul2 = ops.MatMul().shard(in_strategy=((1, 8), (8, 1)))";
    const { source } = written(net({ init }));
    expect(source).not.toContain("strategy(h");
    expect(source).not.toContain("self.matmul1 = ops.MatMul().shard(((2, 1), (1, 4)))");
    expect(source).not.toContain("((1, 8), (8, 1))");
    expect(written(source).source).toBe(source);
  });

  test("the primitives of a layer are split by a line behind the layer", () => {
    const { source } = written(
      net({
        init: "self.up = nn.Dense(1024, 4096, dtype=ms.float16)  # wide\n        self.down = nn.Dense(4096, 1024, has_bias=False, dtype=ms.float16)",
        construct: "self.down(self.up(x))",
      }),
    );
    expect(source).toContain(
      "self.up = nn.Dense(1024, 4096, dtype=ms.float16)  # wide\n        self.up.bias_add.shard(",
    );
    expect(source).toContain("\n        self.up.matmul.shard(");
    expect(source).not.toContain("strategy(");
  });

  test("what has no .shard(…) falls back to our words, and says why", () => {
    const { source, notes } = written(
      net({ construct: "ops.relu(self.matmul2(self.relu(self.matmul1(x, self.w1)), self.w2))" }),
    );
    expect(source).toContain("strategy(y");
    expect(notes).toEqual([expect.stringContaining('"y": no primitive of the text makes it')]);
  });

  test("one line of a class speaks for all its layers; what differs is said apart, with why", () => {
    const stack = `import mindspore as ms
from mindspore import nn, ops, Tensor

${semiAuto(8)}

class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.up = nn.Dense(4096, 16384, has_bias=False, dtype=ms.float16)
        self.gelu = ops.GeLU()
        self.down = nn.Dense(16384, 4096, has_bias=False, dtype=ms.float16)
        self.add = ops.Add()

    def construct(self, x):
        return self.add(self.down(self.gelu(self.up(x))), x)

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([Block() for _ in range(6)])

    def construct(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

net = Net()
y = net(Tensor(shape=(256, 4096), dtype=ms.float16))
`;
    const { source, notes } = written(stack);
    expect(source.match(/\.shard\(/gu)).toHaveLength(4);
    const lines = source.match(/^strategy\(.*$/gmu) ?? [];
    expect(lines.length).toBeLessThan(4);
    if (lines.length > 0) expect(notes.join()).toContain("most of which are split otherwise");
  });

  const nets = fc.record({
    setting: fc.constantFrom(
      semiAuto(4),
      semiAuto(8),
      'mesh = Mesh(a=2, b=2, hardware="8xH100")',
      'mesh = Mesh(a=2, b=4, devices=[0, 4, 1, 5, 2, 6, 3, 7], hardware="8xH100")',
    ),
    rows: fc.constantFrom(4, 64, 512),
    steps: fc.array(fc.nat(5), { minLength: 1, maxLength: 6 }),
    said: fc.nat(3),
  });

  test("random nets: the text in MindSpore's words has the plan and its costs", () => {
    fc.assert(
      fc.property(nets, ({ setting, rows, steps, said }) => {
        const words = steps.map((step, at) => {
          const given = at % 4 === said && step === 0 ? ".shard(((2, 1), (1, 2)))" : "";
          const made = ["ops.MatMul()", "ops.ReLU()", "ops.Add()", "ops.MatMul(transpose_b=True)"];
          const layer = "nn.Dense(64, 64, dtype=ms.float16)";
          return { made: `${made[step] ?? layer}${given}`, step };
        });
        const calls = words.map(({ step }, at) => {
          const operand = step === 0 || step === 3 ? ", self.w" : step === 2 ? ", x" : "";
          return `        x = self.op${at}(x${operand})`;
        });
        const inits = words.map(({ made }, at) => `        self.op${at} = ${made}`);
        written(`import mindspore as ms
from mindspore import nn, ops, Parameter, Tensor
from mindspore.common.initializer import initializer

${setting}

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(initializer("normal", (64, 64), ms.float16))
${inits.join("\n")}

    def construct(self, x):
${calls.join("\n")}
        return x

net = Net()
y = net(Tensor(shape=(${rows}, 64), dtype=ms.float16))
`);
      }),
      { numRuns: process.env.SOAK ? 400 : 12, seed: 5 },
    );
  });
});

interface PolicyOptions {
  readonly layers?: number;
  readonly policy?: string;
  readonly named?: string;
  readonly mesh?: string;
  readonly rows?: number;
  readonly between?: string;
}

/** Blocks of two linear layers, with statements about their splits. */
const mlp = ({
  layers = 1,
  policy = "def pas(graph, cfg):\n    return graph\n",
  named = "pas",
  mesh = "",
  rows = 512,
  between = "gelu",
}: PolicyOptions = {}) => `import torch
from torch import nn
from nnscaler.parallel import parallelize, ComputeConfig
${mesh}
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(1024, 4096, bias=False)
        self.down = nn.Linear(4096, 1024, bias=False)
    def forward(self, x):
        return self.down(torch.nn.functional.${between}(self.up(x)))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Block() for _ in range(${layers})])
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return torch.sum(x)

${policy}
x = torch.randn(${rows}, 1024)
net = parallelize(Net(), {"x": x}, ${named}, ComputeConfig(4, 4))
y = net(x)
`;

describe("nnScaler", () => {
  test("a policy of the text that splits nothing gets a body that splits as planned", () => {
    const { source, notes } = written(mlp());
    expect(source).toContain("def pas(graph, cfg):\n    cuts = {");
    expect(source).toContain("from nnscaler.policies import auto_multiref\n");
    expect(source).toContain("graph.partition(node, node.algorithm(");
    expect(source).not.toContain("strategy(");
    expect(notes).toEqual([]);
    expect(written(source).source).toBe(source);
  });

  test("in place of one of nnScaler's own policies the call names a function", () => {
    const { source } = written(mlp({ policy: "", named: '"tp"' }));
    expect(source).toContain("def planned(graph, cfg):\n    cuts = {");
    expect(source).toContain('parallelize(Net(), {"x": x}, planned, ComputeConfig(4, 4))');
    expect(source).not.toContain("strategy(");
  });

  test("a text that imports nnScaler and has no policy gets one at its end", () => {
    const program = mlp({ policy: "", mesh: 'mesh = Mesh(gpus=4, hardware="8xH100")' }).replace(
      /^net = .*\ny = .*\n/mu,
      "y = Net()(x)\n",
    );
    const { source } = written(`${program}# the end\n`);
    expect(source).toContain("# the end\n\ndef PAS(graph, cfg):\n");
    expect(source).not.toContain("strategy(");
  });

  test("96 equal layers take as many rows as one", () => {
    const lines = [1, 24].map(
      (layers) => written(mlp({ layers, rows: 64 })).source.split("\n").length,
    );
    expect((lines[1] ?? 0) - (lines[0] ?? 0)).toBeLessThan(5);
  });

  test("on two axes a node is partitioned once for each", () => {
    const mesh = 'mesh = Mesh(dp=2, tp=2, hardware="8xH100")';
    const { source } = written(mlp({ mesh, layers: 2 }));
    expect(source).toContain("in zip(cuts.get(");
    expect(source).not.toContain("strategy(");
  });

  test("what nnScaler does not know is said in our words, with why", () => {
    const { source, notes } = written(mlp({ between: "hardswish" }));
    expect(source).toContain("strategy(");
    expect(notes.join()).toContain("nnScaler has no annotation of it");
  });

  const policies = fc.record({
    layers: fc.constantFrom(1, 3),
    rows: fc.constantFrom(4, 64, 2048),
    between: fc.constantFrom("gelu", "relu", "softmax"),
    mesh: fc.constantFrom(
      "",
      'mesh = Mesh(gpus=4, hardware="8xH100")',
      'mesh = Mesh(dp=2, tp=2, hardware="8xH100")',
      'mesh = Mesh(dp=2, tp=2, devices=[0, 2, 1, 3], hardware="8xH100")',
    ),
    named: fc.constantFrom("pas", '"tp"', '"data"'),
  });

  test("random models: the text in nnScaler's words has the plan and its costs", () => {
    fc.assert(
      fc.property(policies, (options) => {
        written(mlp(options));
      }),
      { numRuns: process.env.SOAK ? 250 : 10, seed: 9 },
    );
  });
});

test("a program that only takes a system's steps has no words of that system, and none are missed", () => {
  const program =
    'mesh = Mesh(x=2)\na = Tensor((4096, 4096))\nb = Parameter((4096, 4096))\nc = matmul(a, b)\nreshard(c, steps="dtensor")\n';
  const document = readDocument(program);
  const { plan } = compile(`${program}strategy(c, k="x")\n`);
  const strategies = new Map([...plan.operators].map(([id, { strategy }]) => [id, strategy]));
  const text = planIntoText(document, { strategies, rest: new Map(), ends: new Map() });
  expect(text.ok && text.source).toContain("strategy(c");
  expect(text.ok && text.notes).toEqual([]);
});
