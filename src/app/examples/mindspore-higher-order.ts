import type { Example } from "#app/first-example";

export const mindsporeHigherOrder: Example = {
  name: "mindspore-higher-order",
  title: "MindSpore: a MatMul on non-contiguous cards",
  note: "The higher-order net of MindSpore's documentation, Operator-level Parallelism, with sizes in the last line: its sums end in a reduce-scatter.",
  program: `import mindspore.nn as nn
from mindspore import ops, Layout
from mindspore.parallel.auto_parallel import AutoParallel

class DenseMatMulNet(nn.Cell):
    def __init__(self):
        super(DenseMatMulNet, self).__init__()
        layout = Layout((2, 2, 2), alias_name = ("dp", "sp", "mp"))
        in_strategy = (layout("mp", ("sp", "dp")), layout(("sp", "dp"), "None"))
        out_strategy = (layout(("mp", "sp", "dp"), "None"), )
        self.matmul1 = ops.MatMul().shard(in_strategy, out_strategy)
    def construct(self, x, w):
        y = self.matmul1(x, w)
        return y

net = DenseMatMulNet()
paralell_net = AutoParallel(net, parallel_mode='semi_auto')
shapes(x=(16, 8), w=(8, 6))
`,
};
