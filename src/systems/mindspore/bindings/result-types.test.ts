import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { longDType } from "#language/document/bindings/types";
import { readDocument } from "#systems";

/**
 * Answers of MindSpore's compiler (`engines/record_mindspore_dtypes.py`), by data types of x and y
 * and a call.
 */
const told: Readonly<Record<string, string>> = JSON.parse(
  readFileSync("src/systems/mindspore/bindings/result-dtypes.json", "utf8"),
);

/** Calls for which the reading differs: MindSpore refuses them, or gives another data type. */
const others: readonly string[] = [
  "uint8 x.any()",
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

// Answers of MindSpore 2.10 for nets over 8 devices.
test.each`
  types                | call                            | isRefused
  ${"bool bool"}       | ${"x + y"}                      | ${true}
  ${"bool bool"}       | ${"True - x"}                   | ${true}
  ${"bool bool"}       | ${"x @ y"}                      | ${true}
  ${"bool bool"}       | ${"x * y"}                      | ${false}
  ${"bool float32"}    | ${"x + y"}                      | ${false}
  ${"bool bool"}       | ${"x + 1"}                      | ${false}
  ${"float32 float32"} | ${"x + True"}                   | ${false}
  ${"float32 float32"} | ${"x & y"}                      | ${true}
  ${"float32 float16"} | ${"x @ y"}                      | ${true}
  ${"bool bool"}       | ${"x.mean()"}                   | ${true}
  ${"bool bool"}       | ${"x.mean(1)"}                  | ${false}
  ${"int32 int32"}     | ${"x.mean()"}                   | ${false}
  ${"uint8 uint8"}     | ${"P.ReduceMax()(x)"}           | ${true}
  ${"uint8 uint8"}     | ${"P.ReduceMax()(x, 1)"}        | ${false}
  ${"float64 float64"} | ${"P.ReduceProd()(x)"}          | ${true}
  ${"uint8 uint8"}     | ${"x.sum()"}                    | ${false}
  ${"float16 float16"} | ${"ops.median(x)"}              | ${true}
  ${"bool bool"}       | ${"ops.cumsum(x, 0)"}           | ${true}
  ${"float32 float32"} | ${"ops.masked_fill(x, y, 0.0)"} | ${true}
`("$call of $types: refused is $isRefused", ({ types, call, isRefused }) => {
  const mode = "parallel_mode='semi_auto_parallel', device_num=8, dataset_strategy='full_batch'";
  const program = programOf(types.split(" "), call).replaceAll("(4, 8)", "(16, 16)");
  const text = program.replace("class", `ms.set_auto_parallel_context(${mode})\nclass`);
  const { diagnostics } = readDocument(text);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ upstream }) => upstream)).toEqual(isRefused ? ["TypeError"] : []);
});

test.each`
  name                  | codes
  ${"foo"}              | ${["ValueError"]}
  ${"variance_scaling"} | ${["ValueError"]}
  ${"XavierUniform"}    | ${[]}
  ${"he_normal"}        | ${[]}
`("an initializer by the name $name", ({ name, codes }) => {
  const { diagnostics } = readDocument(`import mindspore as ms
from mindspore import Parameter
from mindspore.common.initializer import initializer
w = Parameter(initializer("${name}", (4, 8), ms.float32))
`);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ upstream, message }) => upstream ?? message.split(":")[0])).toEqual(codes);
});
