import { expect, test } from "vitest";
import { shortly } from "../emitted/emitted.testing.ts";

const functions = `
def scaled(x):
    return ops.relu(x) * x.shape[1]
`;

/** A net called at module level with a tensor of that name, some of whose lengths are open. */
function textOf(construct: string, fed: string): string {
  return `import mindspore as ms
from mindspore import Symbol, Tensor, context, nn, ops
context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=8, dataset_strategy="full_batch")
${functions}
class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.off = False
    def inner(self, x):
        return ops.relu(x) * x.shape[1]
    def construct(self, x):
        ${construct.replaceAll("\n", "\n        ")}
${fed} = Tensor(shape=[Symbol(divisor=8), 8], dtype=ms.float32)
net = Net()
net(${fed})
`;
}

// Answers of the compiler of MindSpore 2.10.0.
test.each`
  construct                                                                                 | fed    | refused
  ${"return ops.relu(x)"}                                                                   | ${"x"} | ${false}
  ${"return ops.relu(x) * x.shape[1]"}                                                      | ${"x"} | ${true}
  ${"return ops.relu(x) * x.shape[1]"}                                                      | ${"z"} | ${false}
  ${"return ops.relu(x.reshape(8, -1))"}                                                    | ${"x"} | ${true}
  ${"y = x\nreturn ops.relu(y) * y.shape[1]"}                                               | ${"x"} | ${false}
  ${"if self.off:\n    return x.shape[1]\nreturn ops.relu(x)"}                              | ${"x"} | ${false}
  ${"if self.off:\n    x = ops.relu(x) * x.shape[1]\nelse:\n    x = ops.relu(x)\nreturn x"} | ${"x"} | ${false}
  ${"if x.ndim == 3:\n    return x\nreturn ops.relu(x)"}                                    | ${"x"} | ${true}
  ${"for i in range(0):\n    x = x * x.shape[1]\nreturn ops.relu(x)"}                       | ${"x"} | ${true}
  ${"y = ops.relu(x) if x.dtype == ms.float32 else x\nreturn y"}                            | ${"x"} | ${true}
  ${"return self.inner(x)"}                                                                 | ${"x"} | ${true}
  ${"return scaled(x)"}                                                                     | ${"x"} | ${true}
  ${"return scaled(x)"}                                                                     | ${"z"} | ${false}
  ${"return ops.relu(z)"}                                                                   | ${"z"} | ${true}
`("$construct, called with $fed of the module, is said to be refused: $refused", (row) => {
  const { construct, fed, refused } = row;
  const { errors, warnings } = shortly(textOf(construct, fed));
  const isSaid = warnings.some(({ code }) => code === "mindspore/dynamic-name");
  expect({ errors, isSaid }).toEqual({ errors: [], isSaid: refused });
});

test.each`
  made                                                          | shape
  ${"Symbol(divisor=Symbol(divisor=4, max=9).divisor * 2)"}     | ${"8"}
  ${"Symbol(divisor=8) if isinstance(Symbol(), Symbol) else 4"} | ${"8"}
  ${"16 if isinstance(8, Symbol) else 8"}                       | ${"8"}
  ${"Symbol().min + Symbol(divisor=9, remainder=7).remainder"}  | ${"8"}
  ${"Symbol(remainder=2)"}                                      | ${"ValueError"}
  ${"Symbol(divisor=0)"}                                        | ${"ValueError"}
  ${"Symbol(min=0)"}                                            | ${"ValueError"}
  ${"Symbol(max=2.5)"}                                          | ${"TypeError"}
  ${"2 * Symbol(divisor=4)"}                                    | ${"TypeError"}
`("$made gives a length of $shape", ({ made, shape }) => {
  const text = `size = ${made}\n${textOf("return ops.relu(x)", "z").replace("from mindspore", "# ")}`;
  const source = `from mindspore import Symbol, Tensor, context, nn, ops\n${text}`;
  const { diagnostics, operators } = shortly(source.replace("Symbol(divisor=8), 8]", "size, 8]"));
  const [first] = diagnostics.filter(({ severity }) => severity === "error");
  if (first === undefined) expect([shape, operators]).toEqual(["8", ["ReLU (8,1)"]]);
  else expect(first.upstream ?? first.code).toContain(shape);
});
