import { expect, test } from "vitest";
import { longDType } from "#language/document/bindings/types";
import { readDocument } from "#systems";

/** A net of two layers, with `to_float` on one Cell. */
function netOf(layer: string, made = "Net()"): string {
  return `import numpy as np
import mindspore as ms
from mindspore import Parameter, Tensor, context, nn, ops
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch")
class Own(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones((64, 64)), ms.float32))
    def construct(self, x):
        return ops.matmul(x, self.w)
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer = ${layer}
        self.norm = nn.LayerNorm((64,))
    def construct(self, x):
        return self.norm(self.layer(x))
net = ${made}
y = net(Tensor(np.ones((128, 64)), ms.float32))
`;
}

const typesOf = (text: string) => {
  const { graph } = readDocument(text);
  const typeOf = new Map(graph.tensors.map(({ id, dtype }) => [id, dtype]));
  return graph.operators.map(({ op, outputs: [output] }) => {
    const dtype = output && typeOf.get(output.tensor);
    return `${op} ${longDType(dtype ?? "f32")}`;
  });
};

// Operators in the graphs that the compiler of 2.10 makes of these nets.
const dense = ["Cast float16", "Cast float16", "Cast float16", "MatMul float16", "BiasAdd float16"];

test.each([
  ["nn.Dense(64, 64).to_float(ms.float16)", "Net()", [...dense, "LayerNorm float16"]],
  [
    "nn.Dense(64, 64)",
    "Net().to_float(ms.float16)",
    [...dense, "Cast float16", "Cast float16", "LayerNorm float16"],
  ],
  [
    "Own().to_float(ms.float16)",
    "Net()",
    ["Cast float16", "Cast float16", "MatMulExt float16", "LayerNorm float16"],
  ],
  [
    "nn.Dense(64, 64, dtype=ms.float16).to_float(ms.float16)",
    "Net()",
    ["Cast float16", "MatMul float16", "BiasAdd float16", "LayerNorm float16"],
  ],
  ["Own().to_float(ms.float32)", "Net()", ["MatMulExt float32", "LayerNorm float32"]],
])("%s in %s", (layer, made, types) => {
  const text = netOf(layer, made);
  expect(readDocument(text).diagnostics).toEqual([]);
  expect(typesOf(text).toSorted()).toEqual(types.toSorted());
});

test("a type that is no float of 16 or 32 bits is refused", () => {
  const { diagnostics } = readDocument(netOf("nn.Dense(64, 64).to_float(ms.int8)"));
  expect(diagnostics.map(({ message }) => message)).toContain(
    "to_float takes float16, float32 or bfloat16, not int8",
  );
});
