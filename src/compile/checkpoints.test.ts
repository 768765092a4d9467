import { describe, expect, test } from "vitest";
import { compile } from "./compile.ts";

const head = `import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.checkpoint import checkpoint, checkpoint_sequential

class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.up, self.down = nn.Linear(d, 4 * d, bias=False), nn.Linear(4 * d, d, bias=False)
    def forward(self, x):
        u = self.up(x)
        a = F.relu(u)
        return x + self.down(a)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block(16) for _ in range(2))
    def forward(self, x):
        for block in self.blocks:
            x = CALL
        return x

net = Net()
`;

const plain = head.replace("CALL", "block(x)");
const train = (words = "") => `train(net(Tensor((8, 16))).mean()${words})\n`;

/** The operators that run again, in order, and what else is said. */
function again(text: string): readonly string[] {
  const { program, diagnostics } = compile(text);
  const steps = program.graph.operators.filter(({ phase }) => phase === "recompute");
  return [...diagnostics.map(({ code }) => code), ...steps.map(({ op }) => op)];
}

// Each block begins with what it was given; its last product and its addition are not needed.
const early = ["linear", "relu", "linear", "relu"];
const whole = ["linear", "relu", "linear", "add", "linear", "relu", "linear", "add"];

describe("what is computed again before its backward pass", () => {
  test.each`
    call                                                                      | steps
    ${"block(x)"}                                                             | ${[]}
    ${"checkpoint(block, x, use_reentrant=False)"}                            | ${early}
    ${"torch.utils.checkpoint.checkpoint(block, x, use_reentrant=False)"}     | ${early}
    ${"checkpoint(lambda y: block(y), x, use_reentrant=False)"}               | ${early}
    ${"checkpoint(block, x, use_reentrant=True)"}                             | ${whole}
    ${"checkpoint(block, x)"}                                                 | ${whole}
    ${"checkpoint(block, x, use_reentrant=False, early_stop=False)"}          | ${whole}
    ${"checkpoint_sequential([block], 1, x, use_reentrant=False)"}            | ${[]}
    ${"checkpoint_sequential([block, nn.ReLU()], 2, x, use_reentrant=False)"} | ${early}
  `("$call: $steps", ({ call, steps }) => {
    expect(again(`${head.replace("CALL", call)}${train()}`)).toEqual(steps);
  });

  test.each`
    recompute                           | steps
    ${'["blocks[*]"]'}                  | ${early}
    ${'["blocks[1]"]'}                  | ${early.slice(2)}
    ${'"full"'}                         | ${early}
    ${'["blocks[*].a"]'}                | ${["relu", "relu"]}
    ${'["blocks[*].up"]'}               | ${["linear", "linear"]}
    ${'["blocks[*].a", "blocks[*].u"]'} | ${early}
    ${'["nothing"]'}                    | ${["document/no-such-operator"]}
  `("recompute=$recompute: $steps", ({ recompute, steps }) => {
    expect(again(`${plain}${train(`, recompute=${recompute}`)}`)).toEqual(steps);
  });

  test.each`
    recompute   | message
    ${"20e9"}   | ${"a budget of bytes is not filled"}
    ${'"20GB"'} | ${"a budget of bytes is not filled"}
    ${'"half"'} | ${'"recompute" takes a list'}
    ${"[3]"}    | ${'"recompute" takes a list'}
  `("recompute=$recompute is an error", ({ recompute, message }) => {
    const { diagnostics } = compile(`${plain}${train(`, recompute=${recompute}`)}`);
    expect(diagnostics.map((each) => `${each.severity} ${each.message}`)).toContainEqual(
      expect.stringContaining(`error ${message}`),
    );
  });

  test("a program without a list of blocks has none to compute again", () => {
    const text = `w = Parameter((4, 4))\ny = matmul(Tensor((4, 4)), w)\ntrain(y, recompute="full")\n`;
    expect(again(text)).toEqual(["document/no-such-operator"]);
  });

  test("modules that a text wraps run again, on one device too", () => {
    const wrapped = `${plain}
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import checkpoint_wrapper
for at, block in enumerate(net.blocks):
    net.blocks[at] = checkpoint_wrapper(block)
${train()}`;
    expect(again(wrapped)).toEqual(early);
  });

  test("layers of Transformers run again where a model enables it", () => {
    const text = `import torch
from torch import nn
from transformers.modeling_layers import GradientCheckpointingLayer
from transformers.modeling_utils import PreTrainedModel

class Layer(GradientCheckpointingLayer):
    def __init__(self, d):
        super().__init__()
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)
    def forward(self, x):
        return x + self.down(torch.relu(self.up(x)))

class Model(PreTrainedModel):
    def __init__(self, config=None):
        super().__init__(config)
        self.layers = nn.ModuleList([Layer(16) for _ in range(2)])
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x

model = Model()
CALL
train(model(Tensor((8, 16))).mean())
`;
    expect(again(text.replace("CALL", "model.gradient_checkpointing_enable()"))).toEqual(early);
    expect(again(text.replace("CALL", ""))).toEqual([]);
  });
});
