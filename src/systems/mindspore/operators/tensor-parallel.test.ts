import { expect, test } from "vitest";
import { shortly } from "../emitted/emitted.testing.ts";

/**
 * A product of (64, 32) with (32, 16) on 8 devices, with operands sharded over several axes
 * (enable_nd_tp).
 */
function product(matrix: string, layouts: string): string {
  return `import numpy as np
import mindspore as ms
from mindspore import nn, ops, Tensor, context
from mindspore.parallel import Layout
context.set_auto_parallel_context(device_num=8, parallel_mode="semi_auto_parallel", dataset_strategy="full_batch")
grid = Layout(${matrix})
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.mm = ops.MatMul().add_prim_attr("enable_nd_tp", True)
        self.mm.shard(in_strategy=(${layouts}))
        self.relu = ops.ReLU()
    def construct(self, a, w):
        return self.relu(self.mm(a, w))
net = Net()
net(Tensor(np.ones((64, 32)), ms.float32), Tensor(np.ones((32, 16)), ms.float32))
`;
}

const two = '(2, 4), ("x", "y")';
const three = '(2, 2, 2), ("x", "y", "z")';

// Collectives of rank 0 from MindSpore 2.10.0's compiler: those inside the product, then those
// before the ReLU.
test.each`
  matrix   | layouts                                           | sent
  ${two}   | ${'grid("None", ("x", "y")), grid("x", "y")'}     | ${"AllGather 0,1,2,3; ReduceScatter 0,4; AllGather 0,4; AllGather 0,1,2,3"}
  ${two}   | ${'grid("None", ("y", "x")), grid("y", "x")'}     | ${"AllGather 0,4; ReduceScatter 0,1,2,3; AllGather 0,1,2,3; AllGather 0,4"}
  ${three} | ${'grid(("z", "y"), "x"), grid(("x", "z"), "y")'} | ${"AllGather 0,2; AllGather 0,1; ReduceScatter 0,4; AllGather 0,2; AllGather 0,4; AllGather 0,1"}
  ${three} | ${'grid("z", ("x", "y")), grid("x", "y")'}        | ${"AllGather 0,2; ReduceScatter 0,4; AllGather 0,4; AllGather 0,2; AllGather 0,1"}
`("a product of $layouts is shared as MindSpore does it", ({ matrix, layouts, sent }) => {
  const { errors, collectives } = shortly(product(matrix, layouts));
  expect(errors).toEqual([]);
  const have = collectives.map((each) => each.replace(/ \w+$/, ""));
  expect(have.toSorted()).toEqual(String(sent).split("; ").toSorted());
});

test.each`
  matrix   | layouts
  ${two}   | ${'grid("None", ("y", "x")), grid("x", "y")'}
  ${two}   | ${'grid("x", "y"), grid("x", "y")'}
  ${three} | ${'grid(("z", "x"), "y"), grid(("z", "y"), "x")'}
`("a product of $layouts is refused", ({ matrix, layouts }) => {
  const [error] = shortly(product(matrix, layouts)).errors;
  expect(error).toMatchObject({ code: "mindspore/strategy-refused", upstream: "RuntimeError" });
});
