import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { reading } from "../../../language/document/reading.testing.ts";

/**
 * A call that sets one option, and the exception of MindSpore 2.10.0; undefined if it accepts the
 * call.
 */
interface Setting {
  readonly call: string;
  readonly raises?: string;
}

const settings: readonly Setting[] = JSON.parse(
  readFileSync("src/systems/mindspore/bindings/context-settings.json", "utf8"),
);

test.each(settings)("$call raises $raises", ({ call, raises }) => {
  const head = "import mindspore as ms\nfrom mindspore import context, Layout, ops\n";
  const { said } = reading(`${head}${call}\nx = Tensor((8, 8))\ny = ops.relu(x)\n`);
  const errors = said.filter((line) => line.startsWith("error"));
  expect(errors.map((line) => line.split(" ").at(-1))).toEqual(
    raises === undefined ? [] : [raises],
  );
});

// Values that MindSpore 2.10.0 returns.
test.each`
  set                                                    | asked                                                  | value
  ${""}                                                  | ${"get_auto_parallel_context('pipeline_stages')"}      | ${"1"}
  ${"pipeline_stages=2"}                                 | ${"get_auto_parallel_context('pipeline_stages')"}      | ${"2"}
  ${""}                                                  | ${"get_auto_parallel_context('device_num')"}           | ${"1"}
  ${""}                                                  | ${"get_auto_parallel_context('parallel_mode')"}        | ${"'stand_alone'"}
  ${""}                                                  | ${"get_auto_parallel_context('search_mode')"}          | ${"'recursive_programming'"}
  ${"auto_parallel_search_mode='sharding_propagation'"}  | ${"get_auto_parallel_context('search_mode')"}          | ${"'sharding_propagation'"}
  ${""}                                                  | ${"get_auto_parallel_context('dataset_strategy')"}     | ${"'data_parallel'"}
  ${"full_batch=True"}                                   | ${"get_auto_parallel_context('dataset_strategy')"}     | ${"'full_batch'"}
  ${"dataset_strategy='full_batch'"}                     | ${"get_auto_parallel_context('full_batch')"}           | ${"True"}
  ${"full_batch=False, dataset_strategy=((1, 2), (4,))"} | ${"get_auto_parallel_context('dataset_strategy')"}     | ${"[[1, 2], [4]]"}
  ${""}                                                  | ${"get_auto_parallel_context('enable_alltoall')"}      | ${"False"}
  ${""}                                                  | ${"get_auto_parallel_context('gradient_fp32_sync')"}   | ${"True"}
  ${""}                                                  | ${"get_auto_parallel_context('dump_local_norm_path')"} | ${"''"}
  ${""}                                                  | ${"get_context('mode')"}                               | ${"context.GRAPH_MODE"}
`("after $set context.$asked is $value", ({ set, asked, value }) => {
  const text = `from mindspore import context\ncontext.set_auto_parallel_context(${set})
assert context.${asked} == ${value}\n`;
  const { diagnostics } = readDocument(text);
  expect(diagnostics.filter(({ code }) => code !== "document/nothing-runs")).toEqual([]);
});

test("an option that MindSpore does not return is a ValueError", () => {
  const text =
    "from mindspore import context\ncontext.get_auto_parallel_context('pipeline_config')\n";
  expect(readDocument(text).diagnostics.map(({ upstream }) => upstream)).toContain("ValueError");
});

const net = `from mindspore import nn, Tensor
import numpy as np
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul = ops.MatMul()STRATEGY
    def construct(self, x):
        return self.matmul(x, x)
y = Net()(Tensor(np.ones((8, 8)), ms.float32))
`;

test.each`
  mode               | strategy                      | said
  ${"PYNATIVE_MODE"} | ${".shard(((8, 1), (1, 1)))"} | ${true}
  ${"GRAPH_MODE"}    | ${".shard(((8, 1), (1, 1)))"} | ${false}
  ${"PYNATIVE_MODE"} | ${""}                         | ${false}
`("under $mode a strategy $strategy does nothing: $said", ({ mode, strategy, said }) => {
  const head = `import mindspore as ms\nfrom mindspore import ops\nms.set_context(mode=ms.${mode})\n`;
  const { diagnostics } = readDocument(head + net.replace("STRATEGY", strategy));
  expect(diagnostics.some(({ code }) => code === "mindspore/pynative-mode")).toBe(said);
});

// Results of MindSpore 2.10.0's compiler; it compiles AdaSum, for which a "not drawn" warning is
// given here.
test.each`
  lines                                                                                                                   | said
  ${"context.set_auto_parallel_context(dataset_strategy='full_batch')\nNet()(x)"}                                         | ${["RuntimeError"]}
  ${"context.set_auto_parallel_context(full_batch=True, parallel_mode='data_parallel')\nNet()(x)"}                        | ${["RuntimeError"]}
  ${"context.set_auto_parallel_context(parallel_mode='semi_auto_parallel', dataset_strategy='full_batch')\nNet()(x)"}     | ${[]}
  ${"Net()(x)"}                                                                                                           | ${[]}
  ${"context.set_auto_parallel_context(enable_parallel_optimizer=True, parallel_mode='stand_alone')\nnn.Adam([])"}        | ${["RuntimeError"]}
  ${"context.set_auto_parallel_context(enable_parallel_optimizer=True, parallel_mode='semi_auto_parallel')\nnn.Adam([])"} | ${[]}
  ${"context.set_auto_parallel_context(comm_fusion={'openstate': 'on'})"}                                                 | ${["TypeError"]}
  ${"context.set_auto_parallel_context(comm_fusion={'openstate': True})"}                                                 | ${[]}
`("$lines raises $said", ({ lines, said }) => {
  const text = `from mindspore import context, nn, ops, Tensor
import mindspore as ms
import numpy as np
class Net(nn.Cell):
    def construct(self, x):
        return ops.relu(x)
x = Tensor(np.ones((8, 8)), ms.float32)
${lines}
`;
  const errors = readDocument(text).diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ upstream }) => upstream)).toEqual(said);
});

test("AdaSum is said not to be modelled", () => {
  const text =
    "from mindspore import nn\nstep = nn.AdaSumByGradWrapCell(nn.Momentum([], 0.1, 0.9))\n";
  expect(readDocument(text).diagnostics.map(({ code }) => code)).toContain(
    "mindspore/not-modelled",
  );
});
