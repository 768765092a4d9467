import type { Example } from "#app/first-example";

export const mindsporeInterleaved: Example = {
  name: "mindspore-interleaved",
  title: "MindSpore: a MatMul interleaved on each card",
  note: "The axis interleaved_parallel cuts inside a card: four cards, two pieces each, one all-reduce (the virtual axis of MindSpore's Layout).",
  program: `# The device matrix has 8 entries, but its last axis is virtual.
# Every card holds two row blocks of x: one is computed while the other is sent.
import mindspore.nn as nn
from mindspore import ops, Layout
from mindspore.parallel.auto_parallel import AutoParallel

class InterleavedMatMulNet(nn.Cell):
    def __init__(self):
        super().__init__()
        layout = Layout((2, 2, 2), alias_name=("dp", "mp", "interleaved_parallel"))
        x_layout = layout(("dp", "interleaved_parallel"), "mp")
        self.matmul1 = ops.MatMul().shard((x_layout, layout("mp", "None")))
    def construct(self, x, w):
        y = self.matmul1(x, w)
        return y

net = InterleavedMatMulNet()
parallel_net = AutoParallel(net, parallel_mode='semi_auto')
shapes(x=(16, 8), w=(8, 6))
`,
};
