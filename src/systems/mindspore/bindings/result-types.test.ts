import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { longDType } from "#language/document/bindings/types";
import { readDocument } from "#systems";

/** By the types of x and y and a call, what MindSpore's compiler says: `engines/record_mindspore_dtypes.py`. */
const told: Readonly<Record<string, string>> = JSON.parse(
  readFileSync("src/systems/mindspore/bindings/result-dtypes.json", "utf8"),
);

/** Calls that are drawn although MindSpore refuses them, or whose type is another one. */
const others: readonly string[] = [
  "uint8 x.any()",
  "bool x + True",
  "float16 ops.one_hot(ops.cast(x, ms.int32), 8)",
];

function programOf(types: readonly string[], call: string): string {
  const given = types.map((each) => `Tensor(np.ones((4, 8)), ms.${each.replace("bool", "bool_")})`);
  return `import numpy as np
import mindspore as ms
from mindspore import Tensor, mint, nn, ops
from mindspore.ops import operations as P
class Net(nn.Cell):
    def construct(self, ${["x", "y"].slice(0, types.length).join(", ")}):
        return ${call}
net = Net()
result = net(${given.join(", ")})
`;
}

/** `refused`, `unknown`, or the data type of the result. */
function saidOf(types: readonly string[], call: string): string {
  const { diagnostics, graph } = readDocument(programOf(types, call));
  if (diagnostics.some(({ severity }) => severity === "error")) return "refused";
  if (diagnostics.some(({ severity }) => severity === "warning")) return "unknown";
  const named = graph.tensors.find(({ name }) => name === "result");
  const last = graph.operators.at(-1)?.outputs[0]?.tensor;
  return longDType((named ?? graph.tensors.find(({ id }) => id === last))?.dtype ?? "f32");
}

test("what a net gives has the data type that MindSpore's compiler gives it", () => {
  const wrong = Object.entries(told).filter(([row, type]) => {
    const [types = "", ...call] = row.split(" ");
    const said = saidOf(types.split(","), call.join(" "));
    return said !== type && said !== "unknown";
  });
  expect(wrong.map(([row]) => row)).toEqual(others);
});
