import { expect, test } from "vitest";
import { compile } from "#compile";
import { shapeWords } from "./shape-words.ts";

const text = `import torch
import torch.nn.functional as F
x = Tensor((8, 4))
loss = F.mse_loss(x, x)
row = x.sum(0, keepdim=True)
odd = unheard(x)
`;

test.each`
  name      | words
  ${"x"}    | ${"8 × 4"}
  ${"loss"} | ${"scalar"}
  ${"row"}  | ${"1 × 4"}
  ${"odd"}  | ${""}
`("the card of $name says '$words'", ({ name, words }) => {
  const tensor = compile(text).graph.tensors.find((each) => each.name === name);
  expect(tensor && shapeWords(tensor)).toBe(words);
});
