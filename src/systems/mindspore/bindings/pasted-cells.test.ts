import { expect, test } from "vitest";
import { readDocument } from "#systems";

// Cells of larger projects, pasted without the code that calls them.

const head = `import numpy as np
import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
`;

/** Operators and tensor shapes of a text's graph, and its diagnostics above "info". */
function read(lines: string) {
  const { graph, diagnostics } = readDocument(head + lines);
  return {
    operators: graph.operators.map(({ op }) => op),
    shapes: graph.tensors.map(({ shape }) => shape),
    said: diagnostics.filter(({ severity }) => severity !== "info"),
  };
}

/** A Cell that nothing calls. */
function cell(made: string, construct: string, inputs = "x"): string {
  return `class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        ${made}
    def construct(self, ${inputs}):
        return ${construct}
net = Net()
`;
}

test("data that numpy works out is no operator, and may be used again", () => {
  const made = `f = np.outer(np.ones(8), np.ones(4))
        self.c = Tensor(np.stack((np.cos(f), np.sin(f)), axis=-1))
        self.e = np.expand_dims(f, 2)`;
  const { operators, said } = read(cell(made, "ops.ReLU()(x)"));
  expect(said).toEqual([]);
  expect(operators).toEqual(["outer", "unsqueeze", "ReLU"]);
  const alone = read(cell("self.c = Tensor(np.cos(np.ones((8, 4))))", "ops.ReLU()(x)"));
  expect(alone.operators).toEqual(["ReLU"]);
});

test.each`
  made                           | layer
  ${"self.flat = nn.Flatten()"}  | ${"nn.Flatten"}
  ${"self.flat = ops.Flatten()"} | ${"ops.Flatten"}
`("$layer of an input that nobody gives takes the size that is read behind it", ({ made }) => {
  const text = cell(`${made}\n        self.last = nn.Dense(784, 10)`, "self.last(self.flat(x))");
  const { operators, shapes, said } = read(text);
  expect(said).toEqual([]);
  expect(operators).toEqual(["Flatten", "MatMul", "BiasAdd"]);
  expect(shapes).toContainEqual([8, 784]);
});

test("sizes that nobody gives and that do not fit are no fault of the text", () => {
  const made = "self.w = Parameter(Tensor(np.ones((3, 12)), ms.float32))";
  const { said } = read(cell(made, "ops.Mul()(ops.Flatten()(x), self.w) + y", "x, y"));
  expect(said.filter(({ severity }) => severity === "error")).toEqual([]);
  // A conflict within the text itself is still an error.
  const twice = "self.a = nn.Dense(784, 64)\n        self.b = nn.Dense(32, 10)";
  const { said: errors } = read(cell(twice, "self.b(self.a(x))"));
  expect(errors.map(({ code, severity }) => [code, severity])).toEqual([
    ["dimops/size-conflict", "error"],
  ]);
});

test("a strategy on sizes that nobody gives is no fault where they do not fit it", () => {
  const made = "self.flat = ops.Flatten()\n        self.p = ops.ReduceSum()";
  const text = cell(
    `${made}\n        self.mul = ops.Mul().shard(((4, 2), (4, 2)))`,
    "self.mul(self.p(self.flat(x), 1), y)",
    "x, y",
  );
  const { said } = read(text);
  expect(said.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(said.map(({ message }) => message).join()).toContain("its rank is a guess");
});

test.each`
  line                                                                                  | said
  ${"from mindspore._checkparam import Validator\nn = Validator.check_positive_int(4)"} | ${["warning mindspore/missing-name"]}
  ${"import mindspore._checkparam as Validator\nn = Validator.check_positive_int(4)"}   | ${[]}
`("$line", ({ line, said }) => {
  expect(read(line).said.map(({ severity, code }) => `${severity} ${code}`)).toEqual(said);
});

test("a range of places that follows from what a module says when it runs names that", () => {
  const line = "from mindspore.communication import get_rank\nx = Tensor(np.ones((8, 4)))\n";
  const { said } = read(`${line}y = ops.ReLU()(x[get_rank():4])`);
  expect(said.map(({ message }) => message)).toEqual([
    '"mindspore.communication.get_rank()" is not known here: what follows from it has no known shape',
  ]);
});
