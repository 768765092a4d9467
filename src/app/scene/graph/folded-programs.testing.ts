import { examples } from "#app/examples";
import { compile } from "#compile";
import { blocksOf } from "./canvas-blocks.ts";

/** A stack of blocks with a module list of PyTorch. */
export const torchStack = `import torch.nn as nn

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.up = nn.Linear(16, 64, bias=False)
        self.down = nn.Linear(64, 16, bias=False)

    def forward(self, x):
        h = self.up(x)
        return x + self.down(h)

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(12)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

mesh = Mesh(dp=2, tp=4)
x = Tensor((8, 16))
y = Model()(x)
`;

/** Cells whose class states the strategy, as tuples or as layouts. */
export function cellStack(strategy: string): string {
  return `import mindspore as ms
from mindspore import nn, ops, Parameter, Tensor, Layout

layout = Layout((2, 4), ("dp", "mp"))

class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(shape=(16, 16), dtype=ms.float32))
        self.matmul = ops.MatMul().shard(${strategy})
        self.relu = ops.ReLU()

    def construct(self, x):
        return self.relu(self.matmul(x, self.w))

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.blocks = nn.CellList([Block() for _ in range(6)])

    def construct(self, x):
        for block in self.blocks:
            x = block(x)
        return x

net = Net()
y = net(Tensor(shape=(8, 16), dtype=ms.float32))
`;
}

/** An nnScaler model whose policy partitions all its products alike. */
export const policyStack = `import torch
import nnscaler
from nnscaler.graph import IRGraph

@nnscaler.register_op('m k+, k+ n -> m n')
def product(x, w):
    return torch.matmul(x, w)

class Layer(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.empty(16, 16))

    def forward(self, x):
        return torch.relu(product(x, self.w))

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = torch.nn.ModuleList([Layer() for _ in range(6)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

def policy(graph, resource):
    for node in graph.select(name='product'):
        graph.partition(node, node.algorithm('dim'), idx=0, dim=0, num=4)
    return graph

y = Net()(torch.zeros(8, 16))
`;

/** The gallery examples that are drawn with folded blocks. */
export const foldedExamples: readonly string[] = examples.flatMap(({ program }) =>
  blocksOf(compile(program)).length > 0 ? [program] : [],
);

/**
 * Blocks in the native notation with the given layers: a product, a product with a residual, or a
 * bare function. The first operator of a block differs from the rest, so that no block repeats
 * inside itself.
 */
export function layeredProgram(blocks: number, layers: readonly number[]): string {
  const body = layers.map((kind, at) => {
    if (kind === 0) return `    x = matmul(x, Parameter((16, 16)))`;
    if (kind === 1) return `    h${at} = matmul(x, Parameter((16, 16)))\n    x = x + h${at}`;
    return "    x = gelu(x)";
  });
  return [
    "mesh = Mesh(dp=2, tp=2)",
    "",
    "def block(x):",
    "    x = softmax(x, 1)",
    ...body,
    "    return matmul(x, Parameter((16, 16)))",
    "",
    "z = Tensor((8, 16))",
    `for i in range(${blocks}):`,
    "    z = block(z)",
    "",
  ].join("\n");
}
