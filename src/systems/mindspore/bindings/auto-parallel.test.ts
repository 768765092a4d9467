import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { reading } from "../../../language/document/reading.testing.ts";

const net = (option: string) => `import mindspore.nn as nn
from mindspore import ops
from mindspore.parallel.auto_parallel import AutoParallel
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = ops.ReLU().shard(((2, 4),))
    def construct(self, x):
        return self.relu(x)
net = AutoParallel(Net(), parallel_mode="semi_auto")
net.${option}
shapes(x=(8, 8))
`;

// Exceptions that an AutoParallel of MindSpore 2.10.0 raises.
test.each`
  option                                                 | raised
  ${'dataset_strategy("full_batch")'}                    | ${undefined}
  ${'dataset_strategy("data_parallel")'}                 | ${undefined}
  ${'dataset_strategy("all")'}                           | ${"ValueError"}
  ${"dataset_strategy(None)"}                            | ${"ValueError"}
  ${"dataset_strategy([(8, 1)])"}                        | ${"TypeError"}
  ${"dataset_strategy(((8, 1),))"}                       | ${undefined}
  ${'dataset_strategy(((8, "1"),))'}                     | ${"TypeError"}
  ${"dataset_strategy(([8, 1],))"}                       | ${"TypeError"}
  ${"hsdp(shard_size=0)"}                                | ${"ValueError"}
  ${"hsdp(threshold=-1)"}                                | ${"ValueError"}
  ${'hsdp(optimizer_level="level4")'}                    | ${"ValueError"}
  ${"pipeline(stages=1)"}                                | ${undefined}
  ${"pipeline(stages=0)"}                                | ${"ValueError"}
  ${'pipeline(stages="2")'}                              | ${"TypeError"}
  ${"pipeline(output_broadcast=1)"}                      | ${"TypeError"}
  ${"pipeline(interleave=1)"}                            | ${"TypeError"}
  ${'pipeline(scheduler="2f2b")'}                        | ${"ValueError"}
  ${"pipeline(scheduler=1)"}                             | ${"TypeError"}
  ${'comm_fusion({"openstate": True})'}                  | ${undefined}
  ${"comm_fusion([1])"}                                  | ${"TypeError"}
  ${"load_param_strategy_file(1)"}                       | ${"TypeError"}
  ${'save_param_strategy_file("a.ckpt")'}                | ${undefined}
  ${"set_group_ckpt_save_file(1)"}                       | ${"TypeError"}
  ${"dump_local_norm(1)"}                                | ${"TypeError"}
  ${'save_operator_strategy_file("a.json")'}             | ${"KeyError"}
  ${'save_operator_strategy_file("/a.ckpt")'}            | ${"KeyError"}
  ${"save_operator_strategy_file(1)"}                    | ${"TypeError"}
  ${'save_operator_strategy_file("/a.json")'}            | ${undefined}
  ${'load_operator_strategy_file("a.json")'}             | ${"KeyError"}
  ${"transformer_opt(None)"}                             | ${undefined}
  ${"transformer_opt(1)"}                                | ${"TypeError"}
  ${"no_init_parameters_in_compile()"}                   | ${undefined}
  ${"disable_strategy_file_only_for_trainable_params()"} | ${undefined}
  ${"enable_fp32_communication()"}                       | ${undefined}
  ${"print_local_norm()"}                                | ${undefined}
  ${"enable_device_local_norm()"}                        | ${undefined}
  ${"enable_gradients_mean()"}                           | ${undefined}
  ${"disable_gradient_fp32_sync()"}                      | ${undefined}
  ${"disable_loss_repeated_mean()"}                      | ${undefined}
  ${"full_batch(True)"}                                  | ${"AttributeError"}
`("net.$option raises $raised", ({ option, raised }) => {
  const { said, cuts } = reading(net(option));
  const errors = said.filter((line) => line.startsWith("error"));
  expect(errors.map((line) => line.split(" ").at(-1))).toEqual(
    raised === undefined ? [] : [raised],
  );
  if (raised === undefined)
    expect({ said, cuts }).toEqual({ said: [], cuts: ["relu_1 a=d0 b=d1"] });
});

test.each`
  option
  ${"hsdp()"}
  ${"hsdp(shard_size=-1)"}
  ${"pipeline(stages=2)"}
  ${'load_operator_strategy_file("/a.json")'}
  ${'transformer_opt("a.json")'}
`("net.$option is not read, and said so", ({ option }) => {
  expect(reading(net(option)).said).toEqual(["warning mindspore/setting-not-read"]);
});

// MindSpore 2.10 takes a fed tensor as one device's part unless "full_batch" is set.
test.each`
  lines                                                               | said
  ${"y = net(Tensor((8, 8)))"}                                        | ${["dataset_strategy='full_batch'"]}
  ${"y = net(Tensor((8, 8)))\ny = net(Tensor((8, 8)))"}               | ${["dataset_strategy='full_batch'"]}
  ${'net.dataset_strategy("full_batch")\ny = net(Tensor((8, 8)))'}    | ${[]}
  ${'net.dataset_strategy("data_parallel")\ny = net(Tensor((8, 8)))'} | ${["dataset_strategy='full_batch'"]}
  ${"net.dataset_strategy(((8, 1),))\ny = net(Tensor((8, 8)))"}       | ${["dataset_strategy is not read"]}
  ${"shapes(x=(8, 8))"}                                               | ${[]}
`(
  "what AutoParallel is fed with after $lines is read whole, and said once where it is not",
  (row) => {
    const text = net("set_train()").replace("shapes(x=(8, 8))", row.lines);
    const fed = readDocument(text).diagnostics.filter(({ code }) => code === "mindspore/fed-whole");
    expect(fed.map(({ message }) => message)).toEqual(
      row.said.map((part: string) => expect.stringContaining(part)),
    );
  },
);
