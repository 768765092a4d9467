import { expect, test } from "vitest";
import { nameOf } from "./text-name.ts";

const model = `class Block(nn.Module):
    def forward(self, x): return x
class Net(Block, nn.Module):
    """A net of blocks."""
`;

test.each`
  text                                                             | name
  ${""}                                                            | ${"Empty plan"}
  ${"# Two matmuls on four devices\nx = Tensor((2, 2))"}           | ${"Two matmuls on four devices"}
  ${"\n  x = Tensor((2, 2))\n"}                                    | ${"x = Tensor((2, 2))"}
  ${'"""\nFull definition of a GPT.\nMore.\n"""\nimport torch\n'}  | ${"Full definition of a GPT."}
  ${'"""A GPT."""\nimport torch\n'}                                | ${"A GPT."}
  ${"'''A GPT.'''\nimport torch\n"}                                | ${"A GPT."}
  ${`import torch\nfrom torch import nn\n\n${model}`}              | ${"Net"}
  ${`# Copyright (c) A. B.\n# All rights reserved.\n${model}`}     | ${"Net"}
  ${`#!/usr/bin/env python\n# -*- coding: utf-8 -*-\nx = 1`}       | ${"x = 1"}
  ${`#!/usr/bin/env python\n# coding: utf-8\n"""A GPT."""\nx = 1`} | ${"A GPT."}
  ${"import torch\nfrom torch import nn\nnet = nn.Linear(2, 3)\n"} | ${"net = nn.Linear(2, 3)"}
  ${'model = Auto.from_pretrained("meta/Llama-3.1-8B")\n'}         | ${"Llama-3.1-8B"}
  ${'id = "meta/Llama-2-7b"\nmodel = Auto.from_pretrained(id)'}    | ${"Llama-2-7b"}
  ${'model = Auto.from_pretrained("gpt2")'}                        | ${"gpt2"}
  ${"mesh = 1\nmodel = GPT(Config())\n"}                           | ${"GPT"}
  ${"# Copyright (c) A. B."}                                       | ${"# Copyright (c) A. B."}
  ${"import torch"}                                                | ${"import torch"}
`("a text that nobody named is called $name", ({ text, name }) => {
  expect(nameOf({ kind: "new" }, text)).toBe(name);
});
