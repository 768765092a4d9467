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
  call                          | message
  ${"torch.add(x, 'a')"}        | ${"add() has no form that takes (Tensor, str)"}
  ${"x.sum(keepdim=3)"}         | ${"sum() has no form that takes (keepdim=int)"}
  ${"x.softmax()"}              | ${"softmax() has no form that takes ()"}
  ${"x.permute(0, 0)"}          | ${"permute(): dim 0 is named twice"}
  ${"x.expand(3, 16)"}          | ${"expand(): dim 0 has 8 elements, which cannot be expanded to 3"}
  ${"x[9]"}                     | ${"select(): index 9 is out of range for dim 0 of size 8"}
  ${"x[0, 0, 0]"}               | ${"too many indices: 3 for a tensor of 2 dims"}
  ${"x[::-1]"}                  | ${"a slice of a tensor goes forward, but its step is -1"}
  ${"x.topk(99)"}               | ${"topk(): k = 99 is out of range for a dim of size 16"}
  ${"x.flatten(1, 0)"}          | ${"flatten(): start_dim 1 comes behind end_dim 0"}
  ${"F.pad(x, (1,))"}           | ${"pad(): the padding has 1 numbers, not two for each dim"}
  ${"F.dropout(x, 2.0)"}        | ${"dropout(): a share of elements lies between 0 and 1, not at 2"}
  ${"x.repeat(2)"}              | ${"repeat(): 1 numbers cannot repeat 2 dims"}
  ${"F.layer_norm(x, (9, 16))"} | ${"layer_norm(): normalized_shape is [9, 16], but the last dims are [8, 16]"}
  ${"F.layer_norm(x, 16)"}      | ${"layer_norm() has no form that takes (Tensor, int)"}
  ${"x.sum(dim=(0, 0))"}        | ${"sum(): dim 0 is named twice"}
  ${"x.max(0, 9)"}              | ${"max() has no form that takes (int, int)"}
  ${"x.max(foo=1)"}             | ${"max() got an unexpected keyword argument 'foo'"}
  ${"torch.zeros('a')"}         | ${"zeros() has no form that takes (str)"}
  ${"nn.LayerNorm(16)()"}       | ${"LayerNorm.forward() takes 2 positional arguments but 1 was given"}
  ${"x.split(0)"}               | ${"split(): split_size must be at least 1, but is 0"}
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

test("what nobody knows may be anything", () => {
  const text = `${head}from somewhere import setting\ny = x.softmax(setting.dim)\nz = x.sum(setting)\n`;
  const { diagnostics } = readDocument(text);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});
