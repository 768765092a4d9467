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

/** The recomputed operators, in order, and the diagnostics. */
function again(text: string): readonly string[] {
  const { program, diagnostics } = compile(text);
  const steps = program.graph.operators.filter(({ phase }) => phase === "recompute");
  return [...diagnostics.map(({ code }) => code), ...steps.map(({ op }) => op)];
}

// Each block starts from its given input; its last product and its addition are not needed.
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
    ${"0"}      | ${'a budget of "recompute" is a number of bytes above 0'}
    ${"-8e9"}   | ${'a budget of "recompute" is a number of bytes above 0'}
    ${'"8 XB"'} | ${'a budget of "recompute" is a number of bytes above 0'}
    ${'"half"'} | ${'"recompute" takes a list'}
    ${"[3]"}    | ${'"recompute" takes a list'}
    ${"True"}   | ${'"recompute" takes a list'}
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

describe("a budget of bytes", () => {
  const deep = plain.replace("range(2)", "range(6)");
  const step = (words: string) => compile(`${deep}train(net(Tensor((64, 16))).mean()${words})\n`);
  const named = (count: number) =>
    count === 0
      ? ""
      : `, recompute=[${Array.from({ length: count }, (_, at) => `"blocks[${at}]"`)}]`;
  const peaks = [0, 1, 2, 3, 4, 5, 6].map((count) => step(named(count)).memory.peakBytes);

  test.each([0, 1, 3, 6])("that %i blocks hold is held by so many, and none more", (count) => {
    const bytes = peaks[count] ?? 0;
    const { memory, again: chosen, program, diagnostics } = step(`, recompute=${bytes}`);
    const least = peaks.findIndex((peak) => peak <= bytes);
    expect(chosen?.again).toEqual(Array.from({ length: least }, (_, at) => `blocks[${at}]`));
    expect(chosen).toMatchObject({ bytes, isHeld: true, all: { length: 6 } });
    expect(memory.peakBytes).toBe(peaks[least]);
    const same = step(named(least));
    expect(program.graph.operators).toEqual(same.program.graph.operators);
    const said = diagnostics.find(({ code }) => code === "training/recompute-budget");
    expect(said?.message).toContain(`within ${bytes}`);
  });

  test("that nothing holds has every block computed again, and says so", () => {
    const { memory, again: chosen, diagnostics } = step(', recompute="1kB"');
    expect(memory.peakBytes).toBe(peaks[6]);
    expect(chosen).toMatchObject({ isHeld: false, bytes: 1000 });
    expect(diagnostics.map(({ code }) => code)).toContain("training/over-budget");
  });

  test("needs blocks that may be computed again", () => {
    const { diagnostics } = compile('y = relu(Parameter((4,)))\ntrain(y, recompute="8GB")\n');
    expect(diagnostics.map(({ message }) => message)).toContain(
      "a budget of bytes computes blocks of a list of modules again, and there is none",
    );
  });
});
