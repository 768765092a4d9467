import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { shortly } from "../emitted/emitted.testing.ts";

// How models of MindSpore's own collections change their layers before they run; results of 2.10.0.

const head = `import inspect
import numpy as np
import mindspore as ms
import mindspore.common.initializer as init
from mindspore import Tensor, context, nn, ops
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch")
`;

/** A net of a convolution and a batch norm, with extra lines at the end of its `__init__`. */
function netOf(lines: string): string {
  return `${head}class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 8, 3, stride=2)
        self.bn = nn.BatchNorm2d(8, momentum=0.75)
        self.norm = nn.LayerNorm([16], epsilon=1e-5)
        self.dense = nn.Dense(4, 8, has_bias=False)
        self.drop = nn.Identity()
${lines.replace(/^/gmu, "        ")}
    def construct(self, x):
        return self.drop(self.bn(self.conv(x)))
net = Net()
net(Tensor(np.ones([8, 4, 32, 32]), ms.float32))
`;
}

function saidOf(lines: string): readonly string[] {
  const { diagnostics } = readDocument(netOf(lines));
  return diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

test.each([
  "assert self.conv.bias is None and self.dense.bias is None",
  "assert self.conv.kernel_size == (3, 3) and self.conv.stride == (2, 2) and self.conv.dilation == (1, 1)",
  "assert (self.conv.group, self.conv.padding, self.conv.pad_mode, self.conv.has_bias) == (1, 0, 'same', False)",
  "assert self.bn.num_features == 8 and self.bn.eps == 1e-5 and self.bn.momentum == 0.25",
  "assert self.norm.normalized_shape == (16,) and self.norm.epsilon == 1e-5 and self.norm.begin_norm_axis == -1",
  "assert nn.Conv1d(4, 8, 3).bias is None and nn.Conv1d(4, 8, 3).kernel_size == (1, 3)",
  "assert nn.Conv2dTranspose(4, 8, 3, group=2).group == 2",
])("a layer keeps what it is made with: %s", (lines) => {
  expect(saidOf(lines)).toEqual([]);
});

test.each([
  "for _, cell in self.cells_and_names():\n    if isinstance(cell, nn.Conv2d):\n        cell.weight.set_data(init.initializer(init.HeNormal(), cell.weight.shape, cell.weight.dtype))",
  "self.conv.weight = init.initializer('ones', self.conv.weight.shape)",
  "from mindspore.common import initializer as made\nself.conv.weight.set_data(made.initializer(made.Normal(), (8, 4, 3, 3)))",
])("a parameter takes other data, and stays what it is: %s", (lines) => {
  expect(saidOf(lines)).toEqual([]);
  expect(shortly(netOf(lines)).operators.map((each) => each.split(" ")[0])).toEqual([
    "Conv2D",
    "BatchNorm",
  ]);
});

test.each([
  "self.conv.weight.set_data(Tensor(np.ones((2, 2)), ms.float32))",
  "self.conv.weight = init.initializer('ones', (2, 2))",
  "self.conv.weight.set_data(3.0)",
])(
  "data of another shape gives the parameter that shape in MindSpore, which is said: %s",
  (lines) => {
    expect(saidOf(lines)).toEqual([expect.stringContaining("document/unknown-result")]);
  },
);

test.each`
  asked                                                        | isThere
  ${"'p' in inspect.signature(nn.Dropout).parameters"}         | ${true}
  ${"'keep_prob' in inspect.signature(nn.Dropout).parameters"} | ${true}
  ${"'output_num' in inspect.signature(ops.split).parameters"} | ${false}
  ${"'size' in inspect.signature(ops.interpolate).parameters"} | ${true}
  ${"'x' in inspect.signature(self.construct).parameters"}     | ${true}
  ${"'self' in inspect.signature(self.construct).parameters"}  | ${false}
`("$asked is $isThere", ({ asked, isThere }) => {
  expect(saidOf(`assert (${asked}) is ${isThere ? "True" : "False"}`)).toEqual([]);
});

test.each([
  "rates = [each.item() for each in np.linspace(0, 0.3, 4)]",
  "rates = list(np.linspace(0, 0.3, 4))",
  "rates = [each.item() for each in np.linspace(0, 0.0, 4)]",
  "rates = np.linspace(0, 0.3, 6)[1:5]",
])("a rate for each layer decides what it is, and is no operator of the graph: %s", (lines) => {
  const made = `${lines}\nself.drop = nn.Dropout(p=rates[2]) if rates[2] > 0.0 else nn.Identity()`;
  expect(saidOf(made)).toEqual([]);
  const dropped = lines.includes("0.3") ? ["Dropout"] : [];
  expect(shortly(netOf(made)).operators.map((each) => each.split(" ")[0])).toEqual([
    ...["Conv2D", "BatchNorm"],
    ...dropped,
  ]);
});

test("a class that derives from a layer computes what its own construct says", () => {
  const { operators, errors } = shortly(`${head}class Centred(nn.Conv2d):
    def construct(self, x):
        return self.conv2d(x, ops.abs(self.weight))
class Rectified(nn.Dense):
    def construct(self, x):
        return ops.relu(super().construct(x))
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.dense = Centred(4, 8, 3), Rectified(32, 16)
    def construct(self, x):
        return self.dense(self.conv(x))
net = Net()
net(Tensor(np.ones([8, 4, 32, 32]), ms.float32))
`);
  expect(errors).toEqual([]);
  const names = operators.map((each) => each.split(" ")[0]);
  expect(names.filter((each) => each !== "Reshape")).toEqual([
    ...["Abs", "Conv2D", "MatMul", "BiasAdd", "ReLU"],
  ]);
});

test.each([
  "ops.reshape(y, (-1, 27))",
  "ops.transpose(y, (0, 2, 1))",
  "y if len(y.shape) == 2 else y.shape[7]",
])("what a guessed shape leads to is no fault of the text: %s", (result) => {
  const { diagnostics, errors } = shortly(`${head}class Net(nn.Cell):
    def construct(self, x):
        y = ms.numpy.kron(x, x)
        return ${result}
net = Net()
net(Tensor(np.ones([8, 4, 32, 32]), ms.float32))
`);
  expect(errors).toEqual([]);
  expect(diagnostics.map(({ code }) => code)).toContain("mindspore/unknown-operator");
});

test.each`
  shapes                          | axes            | operators
  ${[[8, 3, 32, 32], [32, 27]]}   | ${"1"}          | ${["Reshape", "MatMul", "Reshape"]}
  ${[[8, 3, 32, 32], [16, 3, 4]]} | ${"([1], [1])"} | ${["Transpose", "Reshape", "Transpose", "Reshape", "MatMul", "Reshape"]}
`("tensordot of $shapes over $axes is compiled to $operators", ({ shapes, axes, operators }) => {
  const [x, w] = shapes.map((each: readonly number[]) => `Tensor(np.ones([${each}]), ms.float32)`);
  const got = shortly(`${head}class Net(nn.Cell):
    def construct(self, x, w):
        return ms.numpy.tensordot(x, w, axes=${axes})
net = Net()
net(${x}, ${w})
`);
  expect(got.errors).toEqual([]);
  const kinds = (names: readonly string[]) => names.filter((each) => each !== "Reshape").toSorted();
  const names = got.operators.map((each) => each.split(" ")[0] ?? "");
  expect(kinds(names)).toEqual(kinds(operators));
});

// Methods of PyTorch's collections that 2.10's Cell collections lack, as 2.10 reports.
test.each`
  changed                         | lacks
  ${"nn.SequentialCell().insert"} | ${true}
  ${"nn.SequentialCell().extend"} | ${true}
  ${"nn.SequentialCell().pop"}    | ${true}
  ${"nn.SequentialCell().append"} | ${false}
  ${"nn.CellList().insert"}       | ${false}
  ${"nn.CellList().extend"}       | ${false}
  ${"nn.CellList().pop"}          | ${true}
`("$changed is an AttributeError: $lacks", ({ changed, lacks }) => {
  const { diagnostics } = readDocument(`from mindspore import nn\nf = ${changed}\n`);
  expect(diagnostics.some(({ upstream }) => upstream === "AttributeError")).toBe(lacks);
});
