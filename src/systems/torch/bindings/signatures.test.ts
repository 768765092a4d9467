import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readDocument } from "#systems";

/** Calls that PyTorch 2.13 was asked, of a tensor of (8, 16) of floats: `engines/record_asked_calls.py`. */
const asked: { readonly refused: readonly string[]; readonly taken: readonly string[] } =
  JSON.parse(readFileSync("src/systems/torch/bindings/asked-calls.json", "utf8"));

const head =
  "import numpy as np\nimport torch\nimport torch.nn as nn\nimport torch.nn.functional as F\nx = torch.randn(8, 16)\n";

function errorsOf(call: string): readonly string[] {
  const { diagnostics } = readDocument(`${head}y = ${call}\n`);
  return diagnostics.filter(({ severity }) => severity === "error").map(({ message }) => message);
}

describe("calls as PyTorch takes them", () => {
  test("what PyTorch refuses is an error", () => {
    expect(asked.refused.filter((call) => errorsOf(call).length === 0)).toEqual([]);
  });

  test("what PyTorch takes is none", () => {
    expect(asked.taken.filter((call) => errorsOf(call).length > 0)).toEqual([]);
  });
});

test.each`
  call                                 | message
  ${"torch.add(x, 'a')"}               | ${"add() has no form that takes (Tensor, str)"}
  ${"x.sum(keepdim=3)"}                | ${"sum() has no form that takes (keepdim=int)"}
  ${"torch.stack([])"}                 | ${"stack(): expected a non-empty list of tensors"}
  ${"torch.cat(tensors=[], dim=1)"}    | ${"cat(): expected a non-empty list of tensors"}
  ${"x.softmax()"}                     | ${"softmax() has no form that takes ()"}
  ${"x.permute(0, 0)"}                 | ${"permute(): dim 0 is named twice"}
  ${"x.expand(3, 16)"}                 | ${"expand(): dim 0 has 8 elements, which cannot be expanded to 3"}
  ${"x[9]"}                            | ${"select(): index 9 is out of range for dim 0 of size 8"}
  ${"x[0, 0, 0]"}                      | ${"too many indices: 3 for a tensor of 2 dims"}
  ${"x[::-1]"}                         | ${"a slice of a tensor goes forward, but its step is -1"}
  ${"x.topk(99)"}                      | ${"topk(): k = 99 is out of range for a dim of size 16"}
  ${"x.flatten(1, 0)"}                 | ${"flatten(): start_dim 1 comes behind end_dim 0"}
  ${"F.pad(x, (1,))"}                  | ${"pad(): the padding has 1 numbers, not two for each dim"}
  ${"F.dropout(x, 2.0)"}               | ${"dropout(): a share of elements lies between 0 and 1, not at 2"}
  ${"x.repeat(2)"}                     | ${"repeat(): 1 numbers cannot repeat 2 dims"}
  ${"F.layer_norm(x, (9, 16))"}        | ${"layer_norm(): normalized_shape is [9, 16], but the last dims are [8, 16]"}
  ${"F.layer_norm(x, 16)"}             | ${"layer_norm() has no form that takes (Tensor, int)"}
  ${"x.sum(dim=(0, 0))"}               | ${"sum(): dim 0 is named twice"}
  ${"x.max(0, 9)"}                     | ${"max() has no form that takes (int, int)"}
  ${"x.max(foo=1)"}                    | ${"max() got an unexpected keyword argument 'foo'"}
  ${"torch.zeros('a')"}                | ${"zeros() has no form that takes (str)"}
  ${"nn.LayerNorm(16)()"}              | ${"LayerNorm.forward() takes 2 positional arguments but 1 was given"}
  ${"x.split(0)"}                      | ${"split(): split_size must be at least 1, but is 0"}
  ${"torch.zeros(-1)"}                 | ${"zeros(): a dimension cannot have the size -1"}
  ${"torch.arange(5, 0)"}              | ${"arange(): upper bound and lower bound inconsistent with step sign: 5 to 0 by 1"}
  ${"torch.tensor([[1, 2], [3]])"}     | ${"tensor(): expected sequence of length 2 at dim 1 (got 1)"}
  ${"x.size(5)"}                       | ${"dim 5 of size() is out of range: -2 to 1"}
  ${"x.item()"}                        | ${"a Tensor with 128 elements cannot be converted to Scalar"}
  ${"int(x)"}                          | ${"a Tensor with 128 elements cannot be converted to Scalar"}
  ${"x.to('a')"}                       | ${'to(): "a" is the name of no device'}
  ${"x[[9]]"}                          | ${"index 9 is out of bounds for dimension 0 with size 8"}
  ${"x[[0, 1], [0, 1, 2]]"}            | ${"shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]"}
  ${"x.narrow(0, 5, 5)"}               | ${"narrow(): start (5) + length (5) exceeds dimension size (8)"}
  ${"x.diagonal(0, 0, 0)"}             | ${"diagonal(): both dims are 0"}
  ${"F.interpolate(x, 3)"}             | ${"interpolate(): only tensors of 3, 4 and 5 dims are supported, but it has 2"}
  ${"F.mse_loss(x, x, reduction='a')"} | ${'mse_loss(): "a" is no value for reduction: it is one of none, mean, sum, elementwise_mean'}
`("$call: $message", ({ call, message }) => {
  expect(errorsOf(call)).toEqual([message]);
});

test.each([
  "log_softmax(0)",
  "softmax(-1)",
  "sort()",
  "topk(1)",
  "argmax(0)",
  "max(0)",
  "roll(1, 0)",
])("of one number alone %s is worked out", (call) => {
  expect(errorsOf(`torch.tensor(2.0).${call}`)).toEqual([]);
});

test.each(["max(axis=0, initial=0.0)", "max(axis=None)", "min(axis=(0, 1), keepdims=True)"])(
  "an array of NumPy has its own words: %s",
  (call) => {
    expect(errorsOf(`np.zeros((2, 3)).${call}`)).toEqual([]);
  },
);

test.each(["x + [1]", "[1] - x", "x * (1, 2)", "x > [1]"])(
  "a list beside a tensor is refused, beside an array it is an array: %s",
  (call) => {
    expect(errorsOf(call)[0]).toMatch(
      /unsupported operand|not supported between|can't multiply sequence/u,
    );
    expect(errorsOf(call.replace("x", "np.ones((8, 1))"))).toEqual([]);
  },
);

test.each(["x.tolist() + [1]", "F.relu(x, True)", "x.to('npu:0')", "x.to('cuda')", "x[[0, -8]]"])(
  "what PyTorch takes: %s",
  (call) => {
    expect(errorsOf(call)).toEqual([]);
  },
);

test.each`
  call                             | wanted
  ${"torch.where(x, x, x)"}        | ${"a condition of truth values"}
  ${"x.masked_fill(x, 0)"}         | ${"a mask of truth values"}
  ${"F.cross_entropy(x, x[:, 0])"} | ${"integers"}
  ${"F.one_hot(x, 9)"}             | ${"integers"}
  ${"x << 1"}                      | ${"integers or truth values"}
  ${"x[x]"}                        | ${"integers or truth values"}
`("$call wants $wanted", ({ call, wanted }) => {
  const { diagnostics } = readDocument(`${head}y = ${call}\n`);
  const said = diagnostics.filter(({ code }) => code === "torch/wrong-dtype");
  expect(said[0]?.message).toContain(`PyTorch wants ${wanted}`);
});

test("what nobody knows may be anything", () => {
  const text = `${head}from somewhere import setting\ny = x.softmax(setting.dim)\nz = x.sum(setting)\n`;
  const { diagnostics } = readDocument(text);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});
