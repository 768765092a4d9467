/**
 * A MindSpore net on 2×2×2: a product of x and w with a strategy, whose result is then read whole.
 */
export function productNet(product: string, shapes: string): string {
  return `from mindspore import nn, ops, Layout
from mindspore.parallel.auto_parallel import AutoParallel
layout = Layout((2, 2, 2), ("dp", "sp", "mp"))
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.product = ${product}
        self.read = ops.ReLU()
    def construct(self, x, w):
        return self.read(self.product(x, w))
net = AutoParallel(Net(), parallel_mode="semi_auto")
shapes(${shapes})
`;
}
