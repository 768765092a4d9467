import { expect, test } from "vitest";
import { readDocument } from "#systems";

const net = `import copy
import torch
from torch import nn
from settings import args
def stack(count):
    return [nn.Linear(4, 4) for _ in range(count)]
class Part(nn.Module):
    def __init__(self, count):
        super().__init__()
        for at in range(count):
            self.add_module(str(at), nn.Linear(4, 4))
    def forward(self, x):
        return x
class Net(nn.Module):
    def __init__(self, count, isWide=False):
        super().__init__()
        self.part = Part(count)
        self.rest = nn.Sequential(*stack(count))
        if isWide:
            self.wide = nn.Linear(4, 4)
    def forward(self, x):
        for _ in range(args.rounds):
            x = x + 1
        return x
    def optimizer(self, fused):
        return torch.optim.Adam(self.parameters(), fused=True if fused else None)
    def grow(self, count):
        for _ in range(count):
            self.more = nn.Linear(4, 4)
`;

test.each<[string, number | undefined]>([
  ["net = Net(2)", 80],
  ["net = Net(args.count)", undefined],
  ["net = Net(2, args.wide)", undefined],
  // Unknown values asked for by one instance do not affect other instances of the class.
  ["other = Net(args.count, args.wide)\nnet = Net(2)", 80],
  ["net = Net(2)\nother = Net(args.count, args.wide)", 80],
  // A module is affected by unknown values that it, a part of it, or a function it calls asks for.
  ["net = nn.Sequential(Net(2), Part(args.count))", undefined],
  ["net = nn.Sequential(Net(2), Part(3))\nother = Part(args.count)", 140],
  ["net = copy.deepcopy(Net(args.count))", undefined],
  ["net = copy.deepcopy(Net(2))\nother = Net(args.count)", 80],
  // A method that only reads parts, unlike one that adds a part, does not affect the count.
  ["net = Net(2)\nopt = net.optimizer(args.fused)", 80],
  ["net = Net(2)\nnet.grow(args.count)", undefined],
  // Running a module does not affect the count.
  ["net = Net(2)\ny = net(torch.zeros(3, 4))", 80],
])("the parameters of %j are %j", (made, parameters) => {
  expect(readDocument(`${net}${made}\n`).modules.get("net")).toBe(parameters);
});

test("a function that a module calls while it is made asks for the module", () => {
  const text = net.replace("self.part = Part(count)", "pass");
  expect(readDocument(`${text}net = Net(args.count)\n`).modules.get("net")).toBeUndefined();
});
