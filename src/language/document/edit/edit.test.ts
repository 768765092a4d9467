import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { tupleEdits } from "./index.ts";

test.each`
  strategy        | said
  ${"(2, 1)"}     | ${[]}
  ${"(1 + 1, 1)"} | ${["document/strategy-not-literal"]}
`("a strategy that is written as $strategy is edited, or says $said", ({ strategy, said }) => {
  const document = readDocument(`from mindspore import nn, ops, Tensor
from mindspore.parallel.auto_parallel import AutoParallel
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = ops.ReLU().shard((${strategy},))
    def construct(self, x):
        return self.relu(x)
net = AutoParallel(Net(), parallel_mode="semi_auto")
y = net(Tensor(shape=(8, 8)))
`);
  const [traced, operator] = [...document.built.operatorOf][0] ?? [];
  if (traced === undefined || operator === undefined) throw new Error("no operator");
  const edits = tupleEdits(traced, operator, operator.axes[0]?.name ?? "", () => 1);
  expect(edits.diagnostics.map(({ code }) => code)).toEqual(said);
});
