import { expect, test } from "vitest";
import { shortly } from "../emitted/emitted.testing.ts";

// Expected results are those of the compiler of MindSpore 2.10.0, with 8 devices in a group.

const text = (made: string, construct: string) => `import numpy as np
import mindspore as ms
from mindspore import Parameter, Tensor, context, mint, nn, ops
from mindspore.parallel import Layout
from mindspore.parallel.function import reshard
context.set_auto_parallel_context(device_num=8, global_rank=0, parallel_mode="semi_auto_parallel", dataset_strategy="full_batch")
grid = Layout((4, 2), ("dp", "mp"))
class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d = nn.Dense(64, 64)
    def construct(self, x):
        return self.d(x)
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones((64, 32)), ms.float32), name="w")
${made}
    def construct(self, x):
        return ${construct}
net = Net()
net(Tensor(np.ones((32, 64)), ms.float32))
`;

test("what is resharded is sent, and no operator of its own", () => {
  const made = `        self.mm = ops.MatMul().shard(((4, 1), (1, 2)))
        self.act = ops.ReLU().shard(((4, 2),))
        self.to = grid("mp", "dp")`;
  const read = shortly(text(made, "self.act(reshard(self.mm(x, self.w), self.to))"));
  expect(read.diagnostics).toEqual([]);
  expect(read.operators).toEqual(["MatMul (4,1) (1,2)", "ReLU (4,2)"]);
  expect(read.collectives.map((each) => each.replace(" redistribution", ""))).toEqual([
    "AllGather 0,1",
    "AllGather 0,2,4,6",
    "AllGather 0,2,4,6",
    "AllGather 0,1",
  ]);
});

test.each`
  call                    | upstream
  ${"reshard(x)"}         | ${"TypeError"}
  ${"reshard(x, (4, 2))"} | ${"TypeError"}
`("$call raises $upstream", ({ call, upstream }) => {
  expect(shortly(text("", call)).errors.map((each) => each.upstream)).toEqual([upstream]);
});

const wrapped = `        self.m = ms.parallel.shard(mint.matmul, in_strategy=(grid("dp", "mp"), grid("mp", "None")))`;

test.each`
  made                                                                                            | construct              | codes
  ${wrapped}                                                                                      | ${"self.m(x, self.w)"} | ${["mindspore/shard-propagation"]}
  ${"        self.b = Block()\n        self.b.shard(in_strategy=((4, 2),))"}                      | ${"self.b(x)"}         | ${["mindspore/shard-propagation"]}
  ${"        self.b = Block()\n        self.c = self.b.shard(in_strategy=((4, 2),))"}             | ${"self.c(x)"}         | ${["mindspore/shard-gives-none", "mindspore/shard-propagation"]}
  ${"        self.b = Block()\n        self.b.shard(((4, 2),), None, {'self.d.weight': (2, 4)})"} | ${"self.b(x)"}         | ${["mindspore/not-modelled", "mindspore/shard-propagation"]}
`("$made: what MindSpore may do otherwise is said once", ({ made, construct, codes }) => {
  const { warnings, errors } = shortly(text(made, construct));
  expect(errors).toEqual([]);
  expect(warnings.map(({ code }) => code).toSorted()).toEqual(codes);
});

test("a strategy of shard that is none is refused where it stands", () => {
  const made = "        self.b = Block()\n        self.b.shard(in_strategy=[(4, 2)])";
  expect(shortly(text(made, "self.b(x)")).errors.map((each) => each.upstream)).toEqual([
    "TypeError",
  ]);
});

test.each`
  given                                                      | upstream
  ${"in_strategy=((4, 2), (1, 1))"}                          | ${"RuntimeError"}
  ${"in_strategy=((4, 2, 1),)"}                              | ${"RuntimeError"}
  ${"in_strategy=((4, 2),), parameter_plan=[]"}              | ${"TypeError"}
  ${"in_strategy=((4, 2),), parameter_plan={'d.weight': 8}"} | ${"TypeError"}
  ${"((4, 2),), None, {'d.weight': (1, 1, 1)}"}              | ${"ValueError"}
  ${"((4, 2),), None, {'self.d.weight': (3, 1)}"}            | ${"ValueError"}
`("shard($given) raises $upstream", ({ given, upstream }) => {
  const made = `        self.b = Block()\n        self.b.shard(${given})`;
  expect(shortly(text(made, "self.b(x)")).errors.map((each) => each.upstream)).toEqual([upstream]);
});

// MindSpore compiles a net that calls reshard() under sharding propagation, whatever its context
// sets.
test.each`
  to                  | construct                                              | operators                                  | collectives
  ${'("dp", "mp")'}   | ${"ops.tanh(reshard(ops.relu(x), self.to))"}           | ${["ReLU (4,2)", "Tanh (4,2)"]}            | ${[]}
  ${'("mp", "dp")'}   | ${"ops.tanh(reshard(ops.relu(x), self.to))"}           | ${["ReLU (2,4)", "Tanh (2,4)"]}            | ${["AllGather 0,1", "AllGather 0,2", "AllGather 0,4"]}
  ${'("None", "mp")'} | ${"ops.tanh(reshard(ops.relu(x), self.to))"}           | ${["ReLU (1,2)", "Tanh (1,2)"]}            | ${["AllGather 0,1"]}
  ${'("dp", "mp")'}   | ${"ops.softmax(reshard(ops.relu(x), self.to))"}        | ${["ReLU (4,2)", "Softmax (1,1)"]}         | ${["AllGather 0,1", "AllGather 0,2,4,6"]}
  ${'("dp", "None")'} | ${"ops.softmax(reshard(ops.relu(x), self.to))"}        | ${["ReLU (4,1)", "Softmax (4,1)"]}         | ${[]}
  ${'("dp", "mp")'}   | ${"ops.matmul(reshard(ops.relu(x), self.to), self.w)"} | ${["ReLU (4,2)", "MatMulExt (4,2) (2,1)"]} | ${["AllReduce 0,1"]}
  ${'("dp", "mp")'}   | ${"reshard(x, self.to) * 2.0"}                         | ${["Muls (4,2)"]}                          | ${[]}
`(
  "$construct, reshard to $to, goes by propagation",
  ({ to, construct, operators, collectives }) => {
    const read = shortly(text(`        self.to = grid${to}`, construct));
    expect(read.errors).toEqual([]);
    // The drawn strategies may differ, so a warning is given.
    expect(read.warnings.map(({ code }) => code)).toEqual(["mindspore/search-choice"]);
    expect(read.operators).toEqual(operators);
    expect(read.collectives.map((each) => each.replace(/ \w+$/, "")).toSorted()).toEqual(
      collectives,
    );
  },
);

test.each`
  made                                      | construct                             | upstream
  ${'self.to = grid(("dp", "mp"), "None")'} | ${"reshard(x, self.to)"}              | ${"TypeError"}
  ${"self.to = grid"}                       | ${'reshard(x, self.to("dp", "mp"))'}  | ${"RuntimeError"}
  ${"self.to = grid"}                       | ${'reshard(x, grid("dp", "mp")) + 1'} | ${"RuntimeError"}
`("$construct, with $made, raises $upstream", ({ made, construct, upstream }) => {
  const { errors } = shortly(text(`        ${made}`, construct));
  expect(errors.map((each) => each.upstream)).toEqual([upstream]);
});

test.each(["2, 2", "4, 4"])(
  "a Layout of (%s) devices on 8 is refused where it is used",
  (matrix) => {
    const made = `        self.act = ops.ReLU().shard((grid("dp", "mp"),))`;
    const small = (construct: string) =>
      shortly(text(made, construct).replace("Layout((4, 2)", `Layout((${matrix})`)).errors;
    expect(small("self.act(x)").map(({ code }) => code)).toEqual(["mindspore/layout-device-count"]);
    expect(small("ops.relu(x)")).toEqual([]);
  },
);
