import type { Example } from "#app/first-example";

export const mindsporeTwoNodes: Example = {
  name: "mindspore-two-nodes",
  title: "MindSpore: rows, then columns, on two nodes",
  note: "DenseMatMulNet of MindSpore's documentation, Operator-level Parallelism, with 2 in place of 4 and sizes in the last line.",
  program: `import mindspore.nn as nn
from mindspore import ops
from mindspore.parallel.auto_parallel import AutoParallel

class DenseMatMulNet(nn.Cell):
    def __init__(self):
        super(DenseMatMulNet, self).__init__()
        self.matmul1 = ops.MatMul().shard(((2, 1), (1, 1)))
        self.matmul2 = ops.MatMul().shard(((1, 1), (1, 2)))
    def construct(self, x, w, v):
        y = self.matmul1(x, w)
        z = self.matmul2(y, v)
        return z

net = DenseMatMulNet()
paralell_net = AutoParallel(net, parallel_mode='semi_auto')
shapes(x=(8, 4), w=(4, 6), v=(6, 8))
`,
};
