import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { reading } from "../../../language/document/reading.testing.ts";

const head = `import mindspore.nn as nn
from mindspore import ops, mint, Layout
from mindspore.parallel.auto_parallel import AutoParallel
`;

/** A net with primitives `self.p0 …` for its `construct`. */
function net(primitives: readonly string[], construct: string, mode = "'semi_auto'"): string {
  const lines = primitives.map((primitive, index) => `        self.p${index} = ${primitive}`);
  return `${head}class Net(nn.Cell):
    def __init__(self):
        super().__init__()
${lines.join("\n")}
        self.done = True
    def construct(self, x, w=None):
        return ${construct}
net = AutoParallel(Net(), parallel_mode=${mode})
`;
}

// mindspore.md §2.4
test.each`
  primitives                          | construct                      | shapes        | cuts
  ${["ops.ReLU()"]}                   | ${"self.p0(x)"}                | ${"x=(8, 4)"} | ${["relu_1 a=d"]}
  ${["ops.ReLU()"]}                   | ${"self.p0(x)"}                | ${"x=(6, 4)"} | ${["relu_1 a=d"]}
  ${["ops.ReLU()"]}                   | ${"self.p0(x)"}                | ${"x=(5, 4)"} | ${[]}
  ${["ops.MatMul()"]}                 | ${"self.p0(x, x)"}             | ${"x=(8, 8)"} | ${["matmul_1 m=d"]}
  ${["ops.MatMul(transpose_a=True)"]} | ${"self.p0(x, x)"}             | ${"x=(8, 8)"} | ${["matmul_1 m=d"]}
  ${["ops.Add()"]}                    | ${"self.p0(x, self.p0(x, x))"} | ${"x=(8, 4)"} | ${["add_1 a=d", "add_2 a=d"]}
`(
  "on 4 devices $primitives without a strategy is cut as $cuts",
  ({ primitives, construct, shapes, cuts }) => {
    const found = reading(`${net(primitives, construct)}mesh = Mesh(d=4)\nshapes(${shapes})\n`);
    expect(found.cuts).toEqual(cuts);
    expect(found.said).toEqual([]);
  },
);

test("Softmax along dim 0 is refused without a strategy: MindSpore splits that dim all the same", () => {
  const { said } = reading(
    `${net(["ops.Softmax(axis=0)"], "self.p0(x)")}mesh = Mesh(d=4)\nshapes(x=(8, 4))\n`,
  );
  expect(said).toHaveLength(1);
  expect(said[0]).toContain("mindspore/strategy-refused");
});

test("a batch that the devices do not divide is cut by their common divisor", () => {
  const text = `${net(["ops.ReLU()"], "self.p0(x)")}mesh = Mesh(d=4)\nshapes(x=(6, 4))\n`;
  expect(reading(text).cuts).toEqual(["relu_1 a=d"]);
});

test.each`
  mode                         | said                                            | cuts
  ${"'semi_auto'"}             | ${[]}                                           | ${["matmul_1 n=d0", "relu_1 a=d0"]}
  ${"'sharding_propagation'"}  | ${["info mindspore/search-choice"]}             | ${["matmul_1 n=d0"]}
  ${"'recursive_programming'"} | ${["info mindspore/search-choice"]}             | ${["matmul_1 n=d0"]}
  ${"'semi'"}                  | ${["error mindspore/parallel-mode ValueError"]} | ${["matmul_1 n=d0", "relu_1 a=d0"]}
  ${"3"}                       | ${["error mindspore/parallel-mode TypeError"]}  | ${["matmul_1 n=d0", "relu_1 a=d0"]}
`("under parallel_mode=$mode an unset operator is cut as $cuts", ({ mode, said, cuts }) => {
  const text = net(
    ["ops.MatMul().shard(((1, 1), (1, 4)))", "ops.ReLU()"],
    "self.p1(self.p0(x, x))",
    mode,
  );
  expect(reading(text)).toMatchObject({ said, cuts });
});

test("strategies without AutoParallel are read as semi_auto, with what MindSpore makes of them", () => {
  const text = net(["ops.ReLU().shard(((4, 1),))"], "self.p0(x)").replace(
    /^net = .*$/m,
    "net = Net()",
  );
  expect(reading(text)).toMatchObject({
    said: ["warning mindspore/no-auto-parallel"],
    cuts: ["relu_1 a=d0"],
  });
});

// mindspore.md §2.1 and §2.2
test.each`
  shard                                                       | said
  ${"((4, 1), (1, 1))"}                                       | ${[]}
  ${"((2, 2), (2, 2))"}                                       | ${[]}
  ${"((a, b), (b, c))"}                                       | ${["warning document/undefined-name NameError", "warning document/undefined-name NameError", "warning document/undefined-name NameError"]}
  ${"[(4, 1), (1, 1)]"}                                       | ${["error python/type-error TypeError"]}
  ${"([4, 1], [1, 1])"}                                       | ${["error python/type-error TypeError"]}
  ${"((2, 2), (4, 1))"}                                       | ${["error mindspore/strategy-refused RuntimeError"]}
  ${"((4, 1),)"}                                              | ${["error mindspore/strategy-refused RuntimeError"]}
  ${"((4, 1, 1), (1, 1))"}                                    | ${["error mindspore/strategy-refused RuntimeError"]}
  ${"((0, 1), (1, 1))"}                                       | ${["error mindspore/strategy-refused RuntimeError"]}
  ${"((4, 1), (1, 1)), (Layout((4,), ('d',))('d', 'None'),)"} | ${["error python/value-error ValueError"]}
  ${"(Layout((4,), ('d',)), Layout((4,), ('d',)))"}           | ${["error python/value-error ValueError"]}
  ${"None, ((4, 1),)"}                                        | ${["error python/value-error ValueError"]}
`("MatMul().shard($shard) on (8, 8) says $said", ({ shard, said }) => {
  const text = `${net([`ops.MatMul().shard(${shard})`], "self.p0(x, x)")}shapes(x=(8, 8))\n`;
  expect(reading(text).said).toEqual(said);
});

test.each`
  layouts                                               | said
  ${'l("dp", "None"), l("None", "mp")'}                 | ${[]}
  ${'l("None", "dp"), l("dp", "mp")'}                   | ${[]}
  ${'l("None", ("dp", "mp")), l(("mp", "dp"), "None")'} | ${["error mindspore/strategy-refused RuntimeError"]}
  ${'l("dp"), l("None", "mp")'}                         | ${["error mindspore/strategy-refused RuntimeError"]}
`("layouts $layouts say $said", ({ layouts, said }) => {
  const text =
    `${net([`ops.MatMul().shard((${layouts}))`], "self.p0(x, x)")}shapes(x=(8, 8))\n`.replace(
      "class Net",
      'l = Layout((2, 2), ("dp", "mp"))\nclass Net',
    );
  expect(reading(text).said).toEqual(said);
});

// mindspore.md §6.4
test.each`
  mode                       | first                                     | choice
  ${"sharding_propagation"}  | ${"ops.MatMul().shard(((1, 1), (1, 4)))"} | ${'"relu_1" ((1, 4),)'}
  ${"sharding_propagation"}  | ${"ops.MatMul().shard(((4, 1), (1, 1)))"} | ${'"relu_1" ((4, 1),)'}
  ${"recursive_programming"} | ${"ops.MatMul()"}                         | ${'"matmul_1" ((4, 1), (1, 1)), "relu_1" ((4, 1),)'}
`("$mode of MindSpore behind $first would choose $choice", ({ mode, first, choice }) => {
  const text = net([first, "ops.ReLU()"], "self.p1(self.p0(x, x))", `'${mode}'`);
  const read = readDocument(`${text}mesh = Mesh(d=4)\nshapes(x=(8, 8))\n`);
  const [note] = read.diagnostics.filter(({ code }) => code === "mindspore/search-choice");
  expect(note?.severity).toBe("info");
  expect(note?.message).toContain(`${mode} of MindSpore would choose ${choice};`);
});

test("what MindSpore would choose is not asked where there is too much to try", () => {
  const text = net(["ops.Add()"], "self.p0(x, x)", "'sharding_propagation'");
  const read = readDocument(`${text}mesh = Mesh(d=256)\nshapes(x=(2,) * 16)\n`);
  expect(read.diagnostics.map(({ code }) => code)).not.toContain("mindspore/search-choice");
});

test.each`
  primitive                                 | construct               | devices | said
  ${"ops.Tile().shard(((1, 4),))"}          | ${"self.p0(x, (1, 4))"} | ${4}    | ${undefined}
  ${"ops.Tile().shard(((2, 8),))"}          | ${"self.p0(x, (2, 1))"} | ${16}   | ${undefined}
  ${"ops.Tile().shard(((1, 4),))"}          | ${"self.p0(x, (1, 2))"} | ${1}    | ${"error mindspore/strategy-refused"}
  ${"ops.MatMul().shard(((1, 4), (2, 1)))"} | ${"self.p0(x, x)"}      | ${1}    | ${"error mindspore/strategy-refused"}
  ${"ops.MatMul().shard(((2, 4), (2, 4)))"} | ${"self.p0(x, x)"}      | ${8}    | ${"info mindspore/gathered-form"}
  ${"ops.ReduceMax().shard(((4, 1),))"}     | ${"self.p0(x, 0)"}      | ${4}    | ${undefined}
  ${"ops.ReduceMin().shard(((1, 8),))"}     | ${"self.p0(x, -1)"}     | ${8}    | ${undefined}
  ${"ops.Split(1, 2).shard(((8, 1),))"}     | ${"self.p0(x)[1]"}      | ${8}    | ${undefined}
  ${"ops.Concat(0).shard(((1, 2),) * 2)"}   | ${"self.p0((x, x))"}    | ${2}    | ${undefined}
  ${"ops.Dropout(0.75).shard(((2, 4),))"}   | ${"self.p0(x)[0]"}      | ${8}    | ${undefined}
`(
  "of $primitive on $devices devices MindSpore says $said",
  ({ primitive, construct, devices, said }) => {
    const read = readDocument(`${net([primitive], construct)}shapes(x=(8, 8))\n`);
    const all = read.diagnostics.map(({ code, severity }) => `${severity} ${code}`);
    expect(all).toEqual(said === undefined ? [] : [said]);
    expect(read.mesh.mesh.devices).toHaveLength(devices);
  },
);

test("a Layout that does not divide its dim is refused, as is one for other devices than the mesh", () => {
  const program = (size: number, more: string) =>
    `${net(['ops.ReLU().shard((l(("dp", "mp"), "None"),))'], "self.p0(x)")}shapes(x=(${size}, 4))\n${more}`.replace(
      "class Net",
      'l = Layout((2, 2), ("dp", "mp"))\nclass Net',
    );
  expect(reading(program(8, "")).said).toEqual([]);
  expect(reading(program(6, "")).said).toEqual(["error mindspore/strategy-refused RuntimeError"]);
  expect(reading(program(8, "mesh = Mesh(d=8)\n")).said).toContain(
    "error mindspore/layout-device-count RuntimeError",
  );
});

test.each`
  attribute                | primitive      | said
  ${'"cross_batch", True'} | ${"ReduceSum"} | ${[]}
  ${'"cross_batch"'}       | ${"ReduceSum"} | ${["warning mindspore/attribute-without-value TypeError"]}
  ${'"cross_batch", True'} | ${"ReLU"}      | ${["warning mindspore/attribute-without-effect"]}
  ${'"whatever", 3'}       | ${"ReLU"}      | ${[]}
  ${""}                    | ${"ReLU"}      | ${["error python/type-error TypeError"]}
`("$primitive with add_prim_attr($attribute) says $said", ({ attribute, primitive, said }) => {
  const text = net(
    [`ops.${primitive}().add_prim_attr(${attribute})`],
    primitive === "ReLU" ? "self.p0(x)" : "self.p0(x, 1)",
  );
  expect(reading(text).said).toEqual(said);
});

test("layers are Cells of primitives that a text may shard", () => {
  const text = net(["nn.Dense(16, 32)", "nn.GELU()"], "self.p1(self.p0(x))").replace(
    "        self.done",
    "        self.p0.matmul.shard(((2, 1), (2, 1)))\n        self.done",
  );
  expect(reading(text)).toMatchObject({
    tensors: "p0.weight[32,16]! p0.bias[32]! x[8,16] matmul_1[8,32] add_1[8,32] gelu_1[8,32]",
    operators: [
      "matmul_1 MatMul m k+, n k+ -> m n",
      "add_1 BiasAdd a b, b -> a b",
      "gelu_1 GeLU a b -> a b",
    ],
    cuts: ["matmul_1 m=d0 n=d1", "add_1 a=d0*d1", "gelu_1 a=d0*d1"],
    said: [],
  });
});

test("parameters and data of MindSpore are read by their shapes", () => {
  const text = `import numpy as np
from mindspore import Tensor, Parameter, ops
x = Tensor(np.ones((8, 4)))
w = Parameter(Tensor(np.zeros((4, 6))), name="w")
y = ops.matmul(x, w)
z = ops.MatMul()(x, Tensor(shape=(4, 2), dtype="float64"))
`;
  expect(reading(text).tensors).toBe("x[8,4] w[4,6]! y[8,6] input_1[4,2] z[8,2]");
});

test.each`
  strategy                                            | places
  ${'(layout("dp", "None"), layout("None", "mp"))'}   | ${"x=dp,_ w=_,mp"}
  ${'(layout("None", "None"), layout("None", "dp"))'} | ${"x=_,_ w=_,dp"}
`("functional shard with $strategy places $places", ({ strategy, places }) => {
  const text = `${head}from mindspore import shard
layout = Layout((2, 2), ("dp", "mp"))
def f(x, w):
    return ops.matmul(x, w)
x = Tensor((8, 4))
w = Tensor((4, 8))
y = shard(f, in_strategy=${strategy})(x, w)
`;
  expect(reading(text)).toMatchObject({ said: ["warning mindspore/shard-propagation"], cuts: [] });
  expect(reading(text).placed).toBe(places);
});

test("functional shard with tuples places its inputs, and ignores an out_strategy", () => {
  const text = `${head}from mindspore.parallel import shard
x = Tensor((8, 4))
y = shard(ops.relu, in_strategy=((2, 2),), out_strategy=((2, 2),))(x)
`;
  expect(reading(text)).toMatchObject({
    said: ["warning mindspore/out-strategy-ignored", "warning mindspore/shard-propagation"],
    placed: "x=d0,d1",
  });
});

// mindspore.md §2.1, the functional shard
test.each`
  strategy                            | said
  ${"((2, 2),)"}                      | ${["warning mindspore/shard-propagation"]}
  ${"[(2, 2)]"}                       | ${["error python/type-error TypeError"]}
  ${"([2, 2],)"}                      | ${["error python/type-error TypeError"]}
  ${'("a",)'}                         | ${["error python/type-error TypeError"]}
  ${'((2, "2"),)'}                    | ${["error python/type-error TypeError"]}
  ${'(layout("dp", "None"), (2, 2))'} | ${["error python/type-error TypeError"]}
`("functional shard of $strategy says $said", ({ strategy, said }) => {
  const text = `${head}from mindspore import shard
layout = Layout((2, 2), ("dp", "mp"))
x = Tensor((8, 4))
y = shard(ops.relu, in_strategy=${strategy})(x)
`;
  expect(reading(text).said).toEqual(said);
});

// mindspore.md §6.5: the numbers of a strategy cut repetitions if a dim is repeated
test.each`
  strategy       | multiples   | operator                           | cuts
  ${"((2, 4),)"} | ${"(1, 4)"} | ${"Tile a b^ -> a (r1 b^)"}        | ${["y a=d0 r1=d1"]}
  ${"((2, 4),)"} | ${"(2, 1)"} | ${"Tile a^ b -> (r0 a^) b"}        | ${["y r0=d0 b=d1"]}
  ${"((2, 4),)"} | ${"(2, 4)"} | ${"Tile a^ b^ -> (r0 a^) (r1 b^)"} | ${["y r0=d0 r1=d1"]}
  ${"((2, 4),)"} | ${"(1, 1)"} | ${"Tile a b -> a b"}               | ${["y a=d0 b=d1"]}
`("Tile $multiples under $strategy is $operator", ({ strategy, multiples, operator, cuts }) => {
  const text = `from mindspore import ops\nx = Tensor((8, 8))\ny = ops.Tile().shard(${strategy})(x, ${multiples})\n`;
  const read = reading(text);
  expect(read.operators).toEqual([`y ${operator}`]);
  expect(read.cuts).toEqual(cuts);
});

const normed = (line: string) => `from mindspore import ops, nn
x = Tensor((8, 4, 16))
g = Parameter((16,))
b = Parameter((16,))
${line}
`;

// mindspore.md §5.3, §6.5: further results of LayerNorm, RmsNorm and Dropout
test.each`
  line                                             | made                                                   | operator
  ${"y, mean, var = ops.LayerNorm(2, 2)(x, g, b)"} | ${"y[8,4,16] mean[8,4,1] var[8,4,1]"}                  | ${"y LayerNorm a b c^, c^, c^ -> a b c^, a b 1^, a b 1^"}
  ${"y, _, _ = ops.LayerNorm(2, 2)(x, g, b)"}      | ${"y[8,4,16]"}                                         | ${"y LayerNorm a b c^, c^, c^ -> a b c^"}
  ${"y = ops.LayerNorm(2, 2)(x, g, b)[0]"}         | ${"y[8,4,16]"}                                         | ${"y LayerNorm a b c^, c^, c^ -> a b c^"}
  ${"y = nn.LayerNorm((16,))(x)"}                  | ${"y[8,4,16]"}                                         | ${"y LayerNorm a b c^, c^, c^ -> a b c^"}
  ${"y = ops.LayerNorm(2, 2)(x, g, b)[1]"}         | ${"layer_norm_1[8,4,16] y[8,4,1] layer_norm_2[8,4,1]"} | ${"layer_norm_1 LayerNorm a b c^, c^, c^ -> a b c^, a b 1^, a b 1^"}
  ${"y, root = ops.RmsNorm()(x, g)"}               | ${"y[8,4,16] root[8,4,1]"}                             | ${"y RmsNorm a b c^, c^ -> a b c^, a b 1^"}
  ${"y, mask = ops.Dropout(0.75)(x)"}              | ${"y[8,4,16] mask[8,4,16]"}                            | ${"y Dropout a b c -> a b c, a b c"}
  ${"y = ops.Dropout(0.75)(x)[0]"}                 | ${"y[8,4,16]"}                                         | ${"y Dropout a b c -> a b c"}
`("$line makes $made", ({ line, made, operator }) => {
  const { tensors, operators } = reading(normed(line));
  expect(
    tensors
      .split(" ")
      .slice(3)
      .filter((text) => !text.endsWith("!"))
      .join(" "),
  ).toBe(made);
  expect(operators).toEqual([operator]);
});

test("layers know what they were made with", () => {
  const document = readDocument(`${head}from mindspore import Tensor
import numpy as np
dense = nn.Dense(4, 8)
convolution = nn.Conv2d(3, 16, 3, has_bias=True)
x = Tensor(np.ones((dense.in_channels, dense.out_channels, convolution.out_channels)))
y = ops.ReLU()(x) if dense.has_bias and convolution.has_bias else x
`);
  expect(document.diagnostics).toEqual([]);
  const made = document.graph.tensors.filter(({ role }) => role !== "parameter");
  expect(made.map(({ shape }) => shape)).toEqual([
    [4, 8, 16],
    [4, 8, 16],
  ]);
});
