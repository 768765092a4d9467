import { expect, test } from "vitest";
import { shortly } from "../emitted/emitted.testing.ts";

// Faults that the compiler of MindSpore 2.10.0 reports.

function faultsOf(made: string, weights: string, call: string): readonly string[] {
  const held = weights === "" ? "" : `Parameter(Tensor(np.ones(${weights}), ms.float32), name=`;
  const source = `import numpy as np
import mindspore as ms
from mindspore import Parameter, Tensor, context, nn
from mindspore.ops import operations as P
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch")
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.norm = ${made}
        self.g = ${held === "" ? "None" : `${held}"g")`}
        self.b = ${held === "" ? "None" : `${held}"b")`}
    def construct(self, x):
        return ${call}
net = Net()
net(Tensor(np.ones([16, 32]), ms.float32))
`;
  return shortly(source).errors.map(({ code, upstream }) => `${code} ${upstream}`);
}

test.each`
  made                     | weights       | faults
  ${"P.LayerNorm(-1, -1)"} | ${"(32,)"}    | ${[]}
  ${"P.LayerNorm(1, 1)"}   | ${"(32,)"}    | ${[]}
  ${"P.LayerNorm(-1, -1)"} | ${"(16,)"}    | ${["python/value-error ValueError"]}
  ${"P.LayerNorm(-1, -1)"} | ${"(1, 32)"}  | ${["python/value-error ValueError"]}
  ${"P.LayerNorm(-1, -1)"} | ${"(16, 32)"} | ${["python/value-error ValueError"]}
  ${"P.LayerNorm(0, 0)"}   | ${"(32,)"}    | ${["python/value-error ValueError"]}
  ${"P.LayerNorm(0, 1)"}   | ${"(32,)"}    | ${["mindspore/strategy-refused RuntimeError"]}
  ${"P.LayerNorm(0, 0)"}   | ${"(16, 32)"} | ${["mindspore/strategy-refused RuntimeError"]}
`("$made with weights of $weights", ({ made, weights, faults }) => {
  expect(faultsOf(made, weights, "self.norm(x, self.g, self.b)[0]")).toEqual(faults);
});

test.each`
  made                              | faults
  ${"nn.LayerNorm((32,))"}          | ${[]}
  ${"nn.LayerNorm([32], -1, -1)"}   | ${[]}
  ${"nn.LayerNorm((16, 32))"}       | ${["python/value-error ValueError"]}
  ${"nn.LayerNorm((16,))"}          | ${["python/value-error ValueError"]}
  ${"nn.LayerNorm([32], 0, 0)"}     | ${["python/value-error ValueError"]}
  ${"nn.LayerNorm([16, 32], 0, 0)"} | ${["mindspore/strategy-refused RuntimeError"]}
`("$made", ({ made, faults }) => {
  expect(faultsOf(made, "", "self.norm(x)")).toEqual(faults);
});

test("a RmsNorm without a strategy whose weights have the dim that it cuts", () => {
  const faults = ["mindspore/strategy-refused RuntimeError"];
  expect(faultsOf("P.RmsNorm()", "(16, 32)", "self.norm(x, self.g)[0]")).toEqual(faults);
  expect(faultsOf("P.RmsNorm()", "(32,)", "self.norm(x, self.g)[0]")).toEqual([]);
});
