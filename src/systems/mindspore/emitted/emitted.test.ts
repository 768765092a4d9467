import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { netText, shortly } from "./emitted.testing.ts";

/** A net with primitives `self.p0 …` on 8 devices, in the style of MindSpore's own tests. */
function net(primitives: readonly string[], construct: string, call: string, more = ""): string {
  const lines = primitives.map((primitive, index) => `        self.p${index} = ${primitive}`);
  return `import numpy as np
import mindspore as ms
from mindspore import context, Tensor, Parameter
from mindspore.nn import Cell
from mindspore.ops import operations as P
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch"${more})
class Net(Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(np.ones([64, 32]), dtype=ms.float32), "w")
${lines.join("\n")}
    def construct(self, x):
        ${construct}
net = Net()
net(${call})
`;
}

const x = "Tensor(np.ones([128, 64]), dtype=ms.float32)";

function short(source: string, rank = 0) {
  const { operators, collectives } = shortly(source, rank);
  return { operators, collectives };
}

// Compilations by MindSpore 2.10 (mindspore.md §2.3, §2.4, §3.8, §5.1, §5.4).
test.each`
  primitives                                                    | construct                                           | operators                                            | collectives
  ${["P.MatMul().shard(((1, 2), (2, 1)))"]}                     | ${"return self.p0(x, self.w)"}                      | ${["MatMul (1,2) (2,1)"]}                            | ${["AllReduce 0,4 forward"]}
  ${["P.Dropout(0.5).shard(((4, 2),))", "P.ReLU()"]}            | ${"return self.p1(self.p0(x)[0])"}                  | ${["Dropout (4,2)", "ReLU (8,1)"]}                   | ${["AllGather 0,1 redistribution"]}
  ${["P.Dropout(0.5).shard(((4, 1),))", "P.ReLU()"]}            | ${"return self.p1(self.p0(x)[0])"}                  | ${["ReLU (8,1)"]}                                    | ${[]}
  ${["P.MatMul()", "P.ReLU()"]}                                 | ${"return self.p1(self.p0(x, self.w))"}             | ${["MatMul (8,1) (1,1)", "ReLU (8,1)"]}              | ${[]}
  ${["P.MatMul()", "P.ReLU().shard(((1, 8),))"]}                | ${"return self.p1(self.p0(x, self.w))"}             | ${["MatMul (8,1) (1,1)", "ReLU (1,8)"]}              | ${["AllGather 0,1,2,3,4,5,6,7 redistribution"]}
  ${["P.ReLU().shard(((8, 1),))", "P.ReLU().shard(((2, 1),))"]} | ${"return self.p1(self.p0(x))"}                     | ${["ReLU (8,1)", "ReLU (2,1)"]}                      | ${["AllGather 0,1,2,3 redistribution"]}
  ${["P.ReLU().shard(((8, 1),))", "P.Reshape()"]}               | ${"return self.p0(self.p1(self.p0(x), (64, 128)))"} | ${["ReLU (8,1)", "Reshape undefined", "ReLU (8,1)"]} | ${[]}
`("$primitives emits $operators and $collectives", ({ primitives, construct, ...emitted }) => {
  expect(short(net(primitives, construct, x))).toEqual(emitted);
});

// Results of the compiler of 2.10: it fails on a net whose graph is a constant.
test.each`
  construct                                                               | refused
  ${"return ops.ones_like(self.p0(x))"}                                   | ${true}
  ${"return ops.sqrt(ops.ones_like(x)) * 2, ops.ones_like(x)"}            | ${true}
  ${"return ops.ones_like(x).sum(0)"}                                     | ${true}
  ${"y = self.p0(x)\n        z = y * 2\n        return ops.ones_like(y)"} | ${false}
  ${"return ops.ones_like(x), self.p0(x)"}                                | ${false}
  ${"return ops.ones_like(x) * x"}                                        | ${false}
  ${"return ops.zeros_like(x)"}                                           | ${false}
  ${"return ops.ones_like(x) + 1"}                                        | ${false}
  ${"return ops.full_like(self.p0(x), 2)"}                                | ${true}
  ${"y = self.p0(x)\n        return y.shape[0]"}                          | ${true}
  ${"return x.shape, 3"}                                                  | ${true}
  ${"y = self.p0(x)\n        return y, y.shape"}                          | ${false}
  ${"y = self.p0(x)\n        z = y\n        return ops.ones_like(y)"}     | ${false}
  ${"_ = self.p0(x)\n        return ops.ones((4, 4), ms.float32)"}        | ${false}
  ${"self.p0(x)\n        return 3"}                                       | ${false}
  ${"y = self.p0(x)\n        print(y.shape)\n        return y.shape"}     | ${false}
  ${"y = self.p0(x)\n        n = x.shape[0]\n        return 3 * y.size"}  | ${true}
  ${"return x"}                                                           | ${false}
`("a net that gives constants alone is refused: $construct", ({ construct, refused }) => {
  const text = net(["P.ReLU().shard(((2, 4),))"], construct, x);
  const { errors } = shortly(text.replace("Tensor, Parameter", "Tensor, Parameter, ops"));
  const codes = errors.map(({ code }) => code);
  expect(codes).toEqual(refused ? ["mindspore/constant-result"] : []);
});

// Results of the compiler of 2.10: gradients are no constants, whatever of the net they leave out.
test.each`
  asked                                                 | call
  ${"ops.GradOperation(get_all=True)"}                  | ${"self.grad(self.net)(x)"}
  ${"ops.GradOperation()"}                              | ${"self.grad(self.net)(x)"}
  ${"ops.GradOperation(get_all=True, sens_param=True)"} | ${"self.grad(self.net)(x, ops.ones_like(self.net(x)))"}
`("$call of $asked is no constant", ({ asked, call }) => {
  const inner = net(["P.ReLU().shard(((8, 1),))"], "return self.p0(x)", x);
  const [head = ""] = inner.split("net = Net()");
  const text = `${head.replace("Tensor, Parameter", "Tensor, Parameter, ops")}
class Slopes(Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.grad = ${asked}
    def construct(self, x):
        return ${call}
Slopes(Net())(${x})
`;
  const { errors, operators } = shortly(text);
  expect(errors).toEqual([]);
  expect(operators).toContain("ReLU (8,1)");
});

test("a rank takes part in its own groups, and AllToAll stands where the context allows it", () => {
  const primitives = ["P.ReLU().shard(((8, 1),))", "P.ReLU().shard(((1, 8),))"];
  const construct = "return self.p1(self.p0(x))";
  const text = net(primitives, construct, x, ", enable_alltoall=True");
  expect(short(text, 3).collectives).toEqual(["AlltoAll 0,1,2,3,4,5,6,7 redistribution"]);
  const sum = net(["P.MatMul().shard(((1, 2), (2, 1)))"], "return self.p0(x, self.w)", x);
  expect(short(sum, 6).collectives).toEqual(["AllReduce 2,6 forward"]);
});

// Exceptions of MindSpore's own Python checks.
test.each`
  setting                            | said
  ${'parallel_mode="semi_auto"'}     | ${"ValueError"}
  ${"gradient_mean=True"}            | ${"ValueError"}
  ${'parallel_mode="data_parallel"'} | ${undefined}
`("set_auto_parallel_context($setting) raises $said", ({ setting, said }) => {
  const text = `from mindspore import context\ncontext.set_auto_parallel_context(${setting})\n`;
  const errors = readDocument(text).diagnostics.filter(({ severity }) => severity === "error");
  expect(errors[0]?.upstream).toBe(said);
});

test.each`
  setting                                 | said
  ${""}                                   | ${["dataset_strategy='full_batch'"]}
  ${", dataset_strategy='data_parallel'"} | ${["dataset_strategy='full_batch'"]}
  ${", dataset_strategy=((8, 1),)"}       | ${["dataset_strategy is not read"]}
  ${", dataset_strategy='full_batch'"}    | ${[]}
  ${", full_batch=True"}                  | ${[]}
`("what is fed under$setting is read whole, and said where it is not", ({ setting, said }) => {
  const mode = "parallel_mode='semi_auto_parallel', device_num=8";
  const { diagnostics } = readDocument(
    `from mindspore import context\ncontext.set_auto_parallel_context(${mode}${setting})\n`,
  );
  const fed = diagnostics.filter(({ code }) => code === "mindspore/fed-whole");
  expect(fed.map(({ message }) => message)).toEqual(
    said.map((part: string) => expect.stringContaining(part)),
  );
});

// Primitives that the operator library lacks, by family (MindSpore 2.10).
test.each`
  primitives                                                      | construct                                                                | operators                                                     | collectives
  ${["P.Sqrt()", "P.ExpandDims().shard(((2, 4),))"]}              | ${"return self.p0(self.p1(x, 2))"}                                       | ${["ExpandDims (2,4)", "Sqrt (8,1,1)"]}                       | ${["AllGather 0,1,2,3 redistribution"]}
  ${["P.StridedSlice().shard(((1, 8),))"]}                        | ${"return self.p0(x, (0, 0), (64, 64), (1, 1))"}                         | ${["StridedSlice (1,8)"]}                                     | ${[]}
  ${["P.Concat()"]}                                               | ${"return self.p0((x, x))"}                                              | ${["Concat (1,1) (1,1)"]}                                     | ${[]}
  ${["P.Concat(axis=1)"]}                                         | ${"return self.p0((x, x))"}                                              | ${["Concat (8,1) (8,1)"]}                                     | ${[]}
  ${["P.Mul().shard(((4, 2), ()))"]}                              | ${"return self.p0(x, 2)"}                                                | ${["Mul (4,2) ()"]}                                           | ${[]}
  ${["P.Cast()", "P.MatMul().shard(((4, 2), (2, 1)))"]}           | ${"return self.p1(self.p0(x, ms.float16), self.p0(self.w, ms.float16))"} | ${["Cast undefined", "Cast undefined", "MatMul (4,2) (2,1)"]} | ${["AllReduce 0,1 forward"]}
  ${["P.UnsortedSegmentSum().shard(((4, 1), (4,)))"]}             | ${"return self.p0(x, Tensor(np.ones([128]), ms.int32), 8)"}              | ${["UnsortedSegmentSum (4,1) (4)"]}                           | ${["AllReduce 0,2,4,6 forward"]}
  ${["P.RmsNorm().shard(((4, 2), (2,)))"]}                        | ${"return self.p0(x, Parameter(Tensor(np.ones([64])), 'g'))"}            | ${["Square (4,2) (2)", "Mul (4,2) (2)", "Mul (4,2) (2)"]}     | ${["AllReduce 0,1 forward"]}
  ${["P.LuUnpack().shard(((2, 1), (1,)))"]}                       | ${"return self.p0(x, self.w)"}                                           | ${["LuUnpack (2,1) (1)"]}                                     | ${[]}
  ${["P.ReLU().shard(((8, 1),))", "P.Square().shard(((2, 4),))"]} | ${"y = self.p0(x)\n        return self.p1(y) + self.p1(y)"}              | ${["ReLU (8,1)", "Square (2,4)", "Add (8,1) (8,1)"]}          | ${["AllGather 0,1,2,3 redistribution", "AllGather 0,1,2,3 redistribution"]}
`("$primitives, one that is not in the library, emits $operators and $collectives", (row) => {
  const { primitives, construct, operators, collectives } = row;
  expect(short(net(primitives, construct, x))).toEqual({ operators, collectives });
});

test("windows that overlap fetch from their neighbours, and slices that the stride does not divide are refused", () => {
  const images = "Tensor(np.ones([16, 8, 32, 32]), dtype=ms.float32)";
  const pooled = (kernel: number) =>
    net(
      [`P.MaxPool(kernel_size=${kernel}, strides=2, pad_mode="valid").shard(((1, 1, 4, 1),))`],
      "return self.p0(x)",
      images,
    );
  expect(
    readDocument(pooled(2)).diagnostics.filter(({ severity }) => severity === "error"),
  ).toEqual([]);
  expect(readDocument(pooled(3)).diagnostics[0]).toMatchObject({
    severity: "error",
    upstream: "RuntimeError",
  });
  const convolved = `P.Conv2D(out_channel=8, kernel_size=3, pad_mode="same", stride=1).shard(((1, 1, 4, 1), (1, 1, 1, 1)))`;
  const weight = "Parameter(Tensor(np.ones([8, 8, 3, 3])), 'c')";
  const text = net([convolved], `return self.p0(x, ${weight})`, images);
  expect(short(text).collectives).toEqual(["NeighborExchangeV2  forward"]);
});

test("numpy's arrays have the shape that it gives them, and what it computes is no operator", () => {
  const calls = [
    "Tensor(np.random.uniform(0, 1, [16, 8]).astype(np.float32))",
    "Tensor(np.arange(128).reshape(16, 8), ms.float32)",
    "Tensor(np.ones([16, 8]).astype(np.float32) * 0.5)",
  ];
  for (const call of calls) {
    const document = readDocument(net(["P.ReLU()"], "return self.p0(x)", call));
    expect(document.graph.operators.map(({ op }) => op)).toEqual(["ReLU"]);
    expect(document.graph.tensors.find(({ producer }) => producer)?.shape).toEqual([16, 8]);
  }
});

test("nets that one program calls are compiled apart: their equal operators stay", () => {
  const pair = net(
    ["P.ReLU().shard(((8, 1),))", "P.ReLU().shard(((2, 1),))"],
    "return self.p1(self.p0(x))",
    "x",
  ).replace("net(x)", `x = ${x}\nnet(x)\nNet()(x)`);
  expect(short(pair)).toEqual({
    operators: ["ReLU (8,1)", "ReLU (2,1)", "ReLU (8,1)", "ReLU (2,1)"],
    collectives: Array.from({ length: 2 }, () => "AllGather 0,1,2,3 redistribution"),
  });
});

// Results of the compiler of 2.10: it fails if folding to ones leaves a parameter that nothing
// reads.
test.each`
  construct                                                                          | refused
  ${"return ops.ones_like(ops.matmul(x, self.w)) + x"}                               | ${true}
  ${"return ops.ones_like(ops.relu(ops.matmul(x, self.w))) + x"}                     | ${true}
  ${"return ops.zeros_like(ops.matmul(x, self.w)) + x"}                              | ${false}
  ${"h = ops.matmul(x, self.w)\n        return ops.ones_like(h) + h"}                | ${false}
  ${"h = ops.matmul(x, self.w)\n        k = h\n        return ops.ones_like(h) + x"} | ${false}
  ${"_ = ops.matmul(x, self.w)\n        return ops.ones_like(x) + x"}                | ${false}
`("a parameter behind ones alone is refused: $construct", ({ construct, refused }) => {
  const text = net(["P.ReLU()"], construct, x)
    .replace("Tensor, Parameter", "Tensor, Parameter, ops")
    .replace(
      "        self.p0 = ",
      '        self.w = Parameter(Tensor(np.ones([64, 64]), ms.float32), name="w")\n        self.p0 = ',
    );
  const codes = shortly(text).errors.map(({ code }) => code);
  expect(codes).toEqual(refused ? ["mindspore/constant-result"] : []);
});

// Results of the compiler of 2.10: redistributions needed by one reader merge with equal ones for
// readers of the same kind.
test.each`
  first                            | second                          | gathers
  ${"ops.exp(z)"}                  | ${"ops.sin(z)"}                 | ${1}
  ${"mint.chunk(z, 2, -1)[0]"}     | ${"mint.mul(z, x)"}             | ${2}
  ${"mint.mul(z, x)"}              | ${"mint.permute(z, (0, 2, 1))"} | ${2}
  ${"mint.chunk(z, 2, -1)[0]"}     | ${"mint.chunk(z, 2, -1)[1]"}    | ${1}
  ${"mint.narrow(z, 2, 0, 8)"}     | ${"z.reshape(8, 512)"}          | ${2}
  ${"z.reshape(8, 512)"}           | ${"mint.mul(z, x)"}             | ${2}
  ${"ops.transpose(z, (0, 2, 1))"} | ${"mint.mul(z, x)"}             | ${1}
`("$first beside $second gathers $gathers times", ({ first, second, gathers }) => {
  const construct = `z = self.p0(x)\n        return ${first}, ${second}`;
  const fed = "Tensor(np.ones([8, 16, 32]), dtype=ms.float32)";
  const text = net(["P.ReLU().shard(((1, 8, 1),))"], construct, fed);
  const { collectives } = short(text.replace("Tensor, Parameter", "Tensor, Parameter, ops, mint"));
  expect(collectives).toHaveLength(gathers);
});

// Results of the compiler of 2.10: consecutive Reshapes are merged, and one that restores its
// operand's shape disappears.
test.each`
  result                                                  | gathers
  ${"self.p0(x).view(-1, 32).view((8, 16, 32))"}          | ${0}
  ${"ops.exp(self.p0(x).view(-1, 32).view((8, 16, 32)))"} | ${0}
  ${"self.p0(x).view(-1, 32).view((4, 32, 32))"}          | ${2}
  ${"self.p0(x).view(-1, 32)"}                            | ${1}
`("$result gathers $gathers times", ({ result, gathers }) => {
  const fed = "Tensor(np.ones([8, 16, 32]), dtype=ms.float32)";
  const text = net(["P.ReLU().shard(((8, 1, 1),))"], `return ${result}`, fed);
  const { collectives } = short(text.replace("Tensor, Parameter", "Tensor, Parameter, ops"));
  expect(collectives).toHaveLength(gathers);
});

// Results of the compiler of 2.10: a product with ones is its other operand if that has the shape
// of both.
test.each`
  product    | operators
  ${"t * o"} | ${["ReLU (2,4)", "Mul (1) (8,1)"]}
  ${"o * t"} | ${["ReLU (2,4)"]}
  ${"m * o"} | ${["ReLU (2,4)", "Mul (8,1) (8,1)"]}
  ${"o / m"} | ${["ReLU (2,4)"]}
  ${"o - m"} | ${["ReLU (2,4)", "Sub (8,1) (8,1)"]}
  ${"o - o"} | ${["ReLU (2,4)"]}
`("of constants $product leaves $operators", ({ product, operators }) => {
  const lines = [
    ...["o = ops.ones_like(x)", "m = o.mean(-1, True)", "t = Tensor(np.ones([64]), ms.float32)"],
    `return self.p0(x), ${product}`,
  ];
  const text = net(["P.ReLU().shard(((2, 4),))"], lines.join("\n        "), x);
  const found = short(text.replace("Tensor, Parameter", "Tensor, Parameter, ops"));
  expect(found.operators).toEqual(operators);
});

// Results of the compiler of 2.10: equal Reshapes are not merged, and each produces the layout that
// its own reader wants.
test.each`
  first     | rows                                                        | sent
  ${[1, 4]} | ${["ops.reshape(x, (-1, 32))", "ops.reshape(x, (-1, 32))"]} | ${["AllGather 0,1,2,3", "AllGather 0,2"]}
  ${[1, 4]} | ${["h", "h"]}                                               | ${["AllGather 0,1,2,3", "AllGather 0,1,2,3"]}
  ${[2, 2]} | ${["ops.reshape(x, (-1, 32))", "ops.reshape(x, (-1, 32))"]} | ${["AllGather 0,1"]}
  ${[2, 2]} | ${["h", "h"]}                                               | ${["AllGather 0,1", "AllGather 0,1"]}
`("of $first, $rows sends $sent", ({ first: [rows, columns], rows: [a, b], sent }) => {
  const text = netText({
    primitives: [
      "P.Neg().shard(((2, 1, 1),))",
      `P.MatMul().shard(((${rows}, 1), (1, ${columns})))`,
      "P.MatMul()",
    ],
    parameters: { v: [32, 32], w: [32, 32] },
    construct: `x = self.p0(x)\n${a === "h" ? "h = ops.reshape(x, (-1, 32))\n" : ""}return self.p1(${a}, self.v) + self.p2(${b}, self.w)`,
    inputs: [[16, 8, 32]],
    devices: 4,
  });
  expect(
    shortly(text)
      .collectives.map((each) => each.replace(/ \w+$/, ""))
      .toSorted(),
  ).toEqual(sent);
});

test("what a text makes twice of one value is made once", () => {
  const mask = "(ops.tril(ops.ones((16, 16))) == 0)";
  const construct = `x = x.masked_fill${mask.slice(0, -1)}, 0.0)\nreturn x.masked_fill${mask.slice(0, -1)}, 0.0)`;
  const { operators } = shortly(netText({ primitives: [], construct, inputs: [[16, 16]] }));
  expect(operators.filter((each) => each.startsWith("Tril"))).toHaveLength(1);
});

// Results of the compiler of 2.10: zeros of a given shape become a constant after the graph is
// split.
test.each`
  construct                                    | operators                                           | gathers
  ${"ops.zeros_like(self.p0(x)) + x"}          | ${["Add (8,1) (8,1)"]}                              | ${0}
  ${"ops.exp(ops.zeros_like(self.p0(x)))"}     | ${["Exp (8,1)"]}                                    | ${0}
  ${"ops.zeros_like(self.p0(x)) + self.p0(x)"} | ${["ReLU (2,4)", "Add (8,1) (8,1)"]}                | ${1}
  ${"self.p0(x) * 1"}                          | ${["ReLU (2,4)"]}                                   | ${0}
  ${"self.p0(x) * 1.0"}                        | ${["ReLU (2,4)", "Muls (8,1)"]}                     | ${1}
  ${"1 / self.p0(x)"}                          | ${["ReLU (2,4)", "Reciprocal (8,1)"]}               | ${1}
  ${"1.0 / self.p0(x)"}                        | ${["ReLU (2,4)", "Reciprocal (8,1)", "Muls (8,1)"]} | ${1}
  ${"ops.mul(ops.tanh(x), 1)"}                 | ${["Tanh (8,1)", "Mul (8,1) ()"]}                   | ${0}
  ${"ops.mul(ops.tanh(x), 1.0)"}               | ${["Tanh (8,1)"]}                                   | ${0}
`("$construct leaves $operators", ({ construct, operators, gathers }) => {
  const text = net(["P.ReLU().shard(((2, 4),))"], `return ${construct}`, x);
  const read = shortly(text.replace("Tensor, Parameter", "Tensor, Parameter, ops"));
  expect(read.errors).toEqual([]);
  expect(read.operators).toEqual(operators);
  expect(read.collectives).toHaveLength(gathers);
});

// Results of the compiler of 2.10: arguments of `len`, `isinstance` and `is None` are folded too.
test.each`
  construct                                                                                                                | refused
  ${"return ops.relu(x) * len(self.w)"}                                                                                    | ${true}
  ${"return ops.relu(x) * len(self.w) + self.w"}                                                                           | ${false}
  ${"if isinstance(self.w, Tensor):\n            x = ops.relu(x)\n        return x"}                                       | ${true}
  ${"return ops.relu(x) * (1 if self.w is None else 2)"}                                                                   | ${true}
  ${"if self.w is None:\n            return ops.tanh(x)\n        return ops.relu(x)"}                                      | ${false}
  ${"if self.w is not None:\n            x = x * 2\n        return ops.relu(x)"}                                           | ${false}
  ${"for i in range(len(self.w)):\n            x = x + i\n            if i > 1:\n                break\n        return x"} | ${true}
  ${"return ops.relu(x) + ops.full_like(self.w, 2.0)"}                                                                     | ${true}
  ${"return ops.relu(x) + ops.full_like(self.w, 2.0) + self.w"}                                                            | ${false}
  ${"return ops.relu(x) + ops.zeros_like(self.w)"}                                                                         | ${false}
`("a parameter that is asked of alone is refused: $construct", ({ construct, refused }) => {
  const text = net(["P.ReLU()"], construct, "Tensor(np.ones([16, 32]), ms.float32)")
    .replace("Tensor, Parameter", "Tensor, Parameter, ops")
    .replace(
      "        self.p0 = ",
      '        self.w = Parameter(Tensor(np.ones([16, 32]), ms.float32), name="w")\n        self.p0 = ',
    );
  const codes = shortly(text).errors.map(({ code }) => code);
  expect(codes).toEqual(refused ? ["mindspore/constant-result"] : []);
});

// Results of the compiler of 2.10: a Reshape produces the layout that its last reader wants,
// counting primitives of a cell only, or functions if there are none.
test.each`
  construct                     | gathers
  ${"ops.tanh(y) + self.p1(y)"} | ${6}
  ${"self.p1(y) + ops.tanh(y)"} | ${6}
  ${"self.p1(y) + y"}           | ${6}
  ${"self.p2(y) + y"}           | ${2}
  ${"self.p1(y) + self.p2(y)"}  | ${5}
  ${"self.p2(y) + self.p1(y)"}  | ${7}
  ${"self.p1(y) + self.p3(y)"}  | ${4}
  ${"self.p1(y), ops.tanh(y)"}  | ${4}
`("a Reshape before $construct is redistributed as MindSpore does it", ({ construct, gathers }) => {
  const strategies = ["((8, 1),)", "((1, 8, 1),)", "((4, 2, 1),)"];
  const primitives = [...strategies.map((each) => `P.ReLU().shard(${each})`), "P.Tanh()"];
  const body = `y = ops.reshape(self.p0(x), (4, 16, 32))\n        return ${construct}`;
  const text = net(primitives, body, "Tensor(np.ones([64, 32]), ms.float32)");
  const read = shortly(text.replace("Tensor, Parameter", "Tensor, Parameter, ops"));
  expect(read.errors).toEqual([]);
  expect(read.collectives).toHaveLength(gathers);
});
