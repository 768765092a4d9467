import { expect, test } from "vitest";
import { shortly } from "../emitted/emitted.testing.ts";

// Files in the style of MindSpore's own tests; expected results are those of MindSpore 2.10.0.

const head = `import numpy as np
import mindspore as ms
from mindspore import Layout, Parameter, Tensor, context, nn
from mindspore.common.api import _CellGraphExecutor, _cell_graph_executor
from mindspore.nn import LazyAdam, TrainOneStepCell
from mindspore.nn.optim import AdamWeightDecay
from mindspore.ops import operations as P
from mindspore.parallel._auto_parallel_context import auto_parallel_context
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch")

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul = P.MatMul().shard(((2, 2), (2, 1)))
        self.weight = Parameter(Tensor(np.ones([32, 64]), ms.float32), name="w")
    def construct(self, x):
        return self.matmul(x, self.weight)

net = Net()
x = Tensor(np.ones([16, 32]), ms.float32)
`;

const product = ["MatMul (2,2) (2,1)"];

test.each`
  lines                                                                                                       | operators
  ${"net.set_train()\n_cell_graph_executor.compile(net, x)"}                                                  | ${product}
  ${"_CellGraphExecutor().compile(net, x, phase='train', do_convert=True)"}                                   | ${product}
  ${"optimizer = LazyAdam(net.trainable_params())\noptimizer.sparse_opt.set_device('CPU')\nnet(x)"}           | ${product}
  ${"net(x)\noptimizer = AdamWeightDecay(net.trainable_params())\noptimizer.target = 'CPU'"}                  | ${product}
  ${"def test_matmul():\n    _cell_graph_executor.compile(net, x)\ntest_matmul()"}                            | ${product}
  ${"auto_parallel_context().set_enable_all_reduce_fusion(enable_all_reduce_fusion=True)\nnet(x)"}            | ${product}
  ${"context.set_auto_parallel_context(comm_fusion={'allreduce': {'mode': 'auto', 'config': None}})\nnet(x)"} | ${product}
`("$lines", ({ lines, operators }) => {
  const read = shortly(head + lines);
  expect(read.diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(read.operators).toEqual(operators);
});

test("an optimizer that is called says that its update is not drawn", () => {
  const { warnings } = shortly(`${head}net(x)\nAdamWeightDecay(net.trainable_params())(())`);
  expect(warnings.map(({ code }) => code)).toEqual(["mindspore/update-not-drawn"]);
});

const layout = "Layout((2, 2, 2), ('dp', 'mp', 'interleaved_parallel'))('dp', 'mp')";

test.each`
  line                                                                                                    | upstream
  ${"auto_parallel_context().set_enable_all_reduce_fusion('yes')"}                                        | ${"TypeError"}
  ${"context.set_auto_parallel_context(device_num='8')"}                                                  | ${"TypeError"}
  ${"context.set_auto_parallel_context(full_batch=1)"}                                                    | ${"TypeError"}
  ${"context.set_auto_parallel_context(parallel_mode=1)"}                                                 | ${"TypeError"}
  ${"context.set_auto_parallel_context(comm_fusion=[1, 2])"}                                              | ${"TypeError"}
  ${"context.set_auto_parallel_context(comm_fusion={'all': {'mode': 'size', 'config': 30}})"}             | ${"KeyError"}
  ${"context.set_auto_parallel_context(comm_fusion={'allgather': [1, 2]})"}                               | ${"TypeError"}
  ${"context.set_auto_parallel_context(comm_fusion={'allgather': {'config': 30}})"}                       | ${"KeyError"}
  ${"context.set_auto_parallel_context(comm_fusion={'reducescatter': {'mode': 'size'}})"}                 | ${"KeyError"}
  ${"context.set_auto_parallel_context(comm_fusion={'reducescatter': {'mode': 'index', 'config': [1]}})"} | ${"KeyError"}
  ${"context.set_auto_parallel_context(comm_fusion={'allreduce': {'mode': 'size', 'config': '30'}})"}     | ${"TypeError"}
  ${`context.set_auto_parallel_context(dataset_strategy=(${layout},))`}                                   | ${"ValueError"}
  ${"_cell_graph_executor.compile(net, x, x)"}                                                            | ${"TypeError"}
`("$line is refused with $upstream", ({ line, upstream }) => {
  const { errors } = shortly(head + line);
  expect(errors.map((each) => each.upstream)).toEqual([upstream]);
});
