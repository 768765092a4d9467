import { expect, test } from "vitest";
import { shortly } from "../emitted/emitted.testing.ts";
import { isMissing, publicNames } from "./public-names.ts";

const head = "import mindspore as ms\nfrom mindspore import mint, nn, ops\n";

test.each`
  module                       | name
  ${"mindspore"}               | ${"set_device"}
  ${"mindspore.nn"}            | ${"TrainOneStepCell"}
  ${"mindspore.ops"}           | ${"bmm"}
  ${"mindspore.mint"}          | ${"matmul"}
  ${"mindspore.communication"} | ${"get_rank"}
  ${"mindspore.parallel"}      | ${"Layout"}
`("2.10 has $name in $module", ({ module, name }) => {
  expect(publicNames(module).has(name)).toBe(true);
  expect(isMissing(module, name)).toBe(false);
});

test.each(["ms.set_device('CPU')", "ms.hal", "nn.TrainOneStepCell", "ops.scan if False else 1"])(
  "%s raises nothing",
  (line) => {
    expect(shortly(`${head}${line}\n`).errors).toEqual([]);
  },
);

test.each([
  "nn.ReLU() if hasattr(nn, 'RMSNorm') else nn.GELU()",
  "getattr(nn, 'RMSNorm', nn.GELU)()",
])("%s asks for a name that 2.10 has not", (made) => {
  const { diagnostics, operators } = shortly(
    `${head}x = ms.Tensor(shape=(16, 16), dtype=ms.float32)\ny = (${made})(x)\n`,
  );
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(operators.join()).toMatch(/GeLU/);
});

test.each(["nn.RMSNorm(8)", "ms.ms_function", "mint.nope(3)", "ops.operations.SiLU()"])(
  "%s is MindSpore's AttributeError, as a warning",
  (line) => {
    const { errors, warnings } = shortly(`${head}y = ${line}\n`);
    expect(errors).toEqual([]);
    expect(warnings).toMatchObject([
      { code: "mindspore/missing-name", upstream: "AttributeError" },
    ]);
  },
);

test.each(["from mindspore import nosuch", "from mindspore import (\n    ops,\n    nosuch,\n)"])(
  "%s is Python's ImportError, as a warning",
  (line) => {
    const { errors, warnings } = shortly(`${head}${line}\n`);
    expect(errors).toEqual([]);
    expect(warnings).toMatchObject([{ code: "mindspore/missing-name", upstream: "ImportError" }]);
  },
);

test("what 2.10 cannot import takes the other branch", () => {
  const { errors, warnings, operators } = shortly(`${head}
try:
    from mindspore._checkparam import Validator
except ImportError:
    import mindspore._checkparam as Validator
try:
    from mindspore.nn import RMSNorm
except ImportError:
    RMSNorm = nn.ReLU
size = Validator.check_positive_int(16)
x = ms.Tensor(shape=(size, 16), dtype=ms.float32)
y = RMSNorm()(x)
`);
  expect([errors, warnings]).toEqual([[], []]);
  expect(operators).toEqual(["ReLU (1,1)"]);
});

test.each`
  layer                  | member           | emitted
  ${"nn.ReLU()"}         | ${"relu"}        | ${"ReLU (2,4)"}
  ${"nn.Sigmoid()"}      | ${"sigmoid"}     | ${"Sigmoid (2,4)"}
  ${"nn.LogSoftmax(-1)"} | ${"log_softmax"} | ${"LogSoftmax (8,1)"}
`("the primitive of $layer is its member $member", ({ layer, member, emitted }) => {
  const cut = String(emitted).replace(/^\w+ /, "").replace(",", ", ");
  const { errors, operators } = shortly(`import numpy as np
import mindspore as ms
from mindspore import Tensor, context, nn
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch")
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.act = ${layer}
        self.act.${member}.shard((${cut},))
    def construct(self, x):
        return self.act(x)
net = Net()
net(Tensor(np.ones([16, 16]), ms.float32))
`);
  expect([errors, operators]).toEqual([[], [emitted]]);
});

test.each`
  module                                        | names
  ${"mindspore.nn"}                             | ${["ReLU", "Cell"]}
  ${"mindspore.ops"}                            | ${["relu", "MatMul"]}
  ${"mindspore.ops.operations"}                 | ${["MatMul"]}
  ${"mindspore.ops.auto_generate.gen_ops_prim"} | ${["Swiglu", "SortExt"]}
`("from $module import * gives $names", ({ module, names }) => {
  const { errors, warnings } = shortly(`from ${module} import *\n${names.join("\n")}\n`);
  expect([...errors, ...warnings]).toEqual([]);
});

test.each(["mindspore", "mindspore.mint", "mindspore.ops.auto_generate"])(
  "from %s import * gives nothing, as in 2.10",
  (module) => {
    const { warnings } = shortly(`from ${module} import *\ny = MatMul()\n`);
    expect(warnings).toMatchObject([{ code: "document/undefined-name", upstream: "NameError" }]);
  },
);

test("a function of mindspore.numpy whose operators are not known is spoken of once", () => {
  const { warnings } = shortly(`import mindspore as ms
from mindspore import Tensor, context, nn
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch")
class Net(nn.Cell):
    def construct(self, x):
        return ms.numpy.maximum(ms.numpy.maximum(x, x), ms.numpy.exp(x))
Net()(Tensor(shape=(16, 32), dtype=ms.float32))
`);
  expect(warnings.map(({ code, message }) => [code, message])).toEqual([
    ["mindspore/no-rule", expect.stringContaining('"maximum"')],
  ]);
});

test.each(["relu", "gelu", "transpose"])("tensors of 2.10 have %s or raise", (name) => {
  const { errors, warnings } = shortly(`from mindspore import Tensor, context, nn
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch")
class Net(nn.Cell):
    def construct(self, x):
        return x.${name}()
Net()(Tensor(shape=(16, 32)))
`);
  expect(errors).toEqual([]);
  expect(warnings.map(({ code, upstream }) => [code, upstream])).toEqual(
    publicNames("mindspore.Tensor").has(name) ? [] : [["mindspore/missing-name", "AttributeError"]],
  );
});
