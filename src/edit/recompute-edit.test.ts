import { expect, test } from "vitest";
import { compile } from "#compile";
import { type RecomputeSelection, recomputeEdit } from "./recompute-edit.ts";

const net = `import torch
import torch.nn as nn
mesh = Mesh(p=1)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(32, 64), nn.Linear(64, 32)
    def forward(self, x):
        return x + self.b(torch.relu(self.a(x)))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(3)])
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
`;
const head = `${net}loss = Net()(Tensor((16, 32))).sum()\n`;

test.each`
  call                                                | again                         | written
  ${"train(loss)"}                                    | ${"full"}                     | ${'train(loss, recompute="full")'}
  ${"train(loss)"}                                    | ${"none"}                     | ${"train(loss)"}
  ${"train(loss)"}                                    | ${["blocks[0]", "blocks[1]"]} | ${'train(loss, recompute=["blocks[0]", "blocks[1]"])'}
  ${'train(loss, recompute=["blocks[*]"], zero=1)'}   | ${"full"}                     | ${'train(loss, recompute="full", zero=1)'}
  ${'train(loss, recompute=["blocks[*]"], zero=1)'}   | ${"none"}                     | ${"train(loss, zero=1)"}
  ${'train(loss,\n  optimizer="sgd",  # plain\n)'}    | ${"full"}                     | ${'train(loss,\n  optimizer="sgd", recompute="full",  # plain\n)'}
  ${'train(loss,  # of the net\n  recompute="full")'} | ${"none"}                     | ${"train(loss,  # of the net\n  )"}
  ${'train(recompute="full", loss=loss)'}             | ${"none"}                     | ${"train(loss=loss)"}
`("$call becomes $written", ({ call, again, written }) => {
  const edit = recomputeEdit(`${head}${call}\n`, again);
  expect(edit).toEqual({
    source: `${head}${written}\n`,
    blocks: ["blocks[0]", "blocks[1]", "blocks[2]"],
  });
  if ("source" in edit) expect(compile(edit.source).diagnostics).toEqual([]);
});

test.each`
  text                                       | again     | refusal
  ${head}                                    | ${"full"} | ${"no train(…)"}
  ${"y = relu(Parameter((4,)))\ntrain(y)\n"} | ${"full"} | ${"no list of blocks"}
`("what $refusal is refused", ({ text, again, refusal }) => {
  expect(recomputeEdit(text, again)).toEqual({ refusal: expect.stringContaining(refusal) });
});

test("the more blocks are computed again, the less is held after the forward pass", () => {
  const held = (again: RecomputeSelection) => {
    const edit = recomputeEdit(`${head}train(loss, optimizer="sgd")\n`, again);
    return "source" in edit ? compile(edit.source).memory.afterForwardBytes : Number.NaN;
  };
  const bytes = [held("none"), held(["blocks[0]"]), held(["blocks[0]", "blocks[1]"]), held("full")];
  expect(bytes).toEqual([...bytes].sort((a, b) => b - a));
  expect(new Set(bytes).size).toBe(bytes.length);
});
