import { expect, test } from "vitest";
import { compile } from "#compile";
import { layoutHints } from "./layout-hints.ts";

/** The lines of a program that have a hint, with the hint behind each. */
function hinted(program: string): readonly string[] {
  const compiled = compile(program);
  const lineOf = (at: number) => program.slice(0, at).split("\n").length - 1;
  const lines = program.split("\n").map((line) => line.trim());
  return layoutHints(compiled, "ours")
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, runs }) => `${lines[lineOf(at)]} # ${runs.map(({ text }) => text).join("")}`);
}

const head = `import torch
import torch.nn as nn
import torch.nn.functional as F
mesh = Mesh(dp=2, tp=2)
x = Tensor((8, 4, 16))
place(x, layout("dp", "None", "None"))
`;

test("a line shows the layout of the value that its name holds in the end", () => {
  expect(
    hinted(`${head}y = x.view(8, 4, 2, 8).transpose(1, 2).contiguous()
y = y.transpose(1, 2).contiguous().view(8, 4, 16)
s = F.softmax(y, dim=-1).sum(-1)
s += 1
`),
  ).toEqual([
    "y = x.view(8, 4, 2, 8).transpose(1, 2).contiguous() # [a@dp, b, c, d]",
    "y = y.transpose(1, 2).contiguous().view(8, 4, 16) # [a@dp, b, c·8]",
    "s = F.softmax(y, dim=-1).sum(-1) # [a@dp, b]",
    "s += 1 # [a@dp, b]",
  ]);
});

const net = `${head}class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(16)
        self.fc = nn.Linear(16, 16, bias=False)
        self.n = 2
    def forward(self, x):
        h = self.fc(self.norm(x))
        a, b = h.chunk(2, dim=-1)
        return x + torch.cat([a, b], dim=-1)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(3)])
        self.norm = nn.LayerNorm(16)
        self.head = nn.Linear(16, 32, bias=False)
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))
net = Net()
out = net(x)
`;

test("what runs in many layers shows what all runs have alike; one of several alike is written", () => {
  expect(hinted(net)).toEqual([
    "h = self.fc(self.norm(x)) # [a@dp, b, n]",
    "a, b = h.chunk(2, dim=-1) # [a@dp, b, 8]",
    "return x + torch.cat([a, b], dim=-1) # [a@dp, b, c]",
    "x = block(x) # [a@dp, b, c]",
    "return self.head(self.norm(x)) # [a@dp, b, n]",
    "out = net(x) # [a@dp, b, n]",
  ]);
});

test("where runs differ, each layout is said with how often it comes", () => {
  const split = `${net}strategy("blocks[1].h", n="tp")\n`;
  expect(hinted(split)[0]).toBe("h = self.fc(self.norm(x)) # [a@dp, b, n] ×2, [a, b, n@tp] ×1");
});

test("runs without a tensor are counted, and lines that only pass on what is given say nothing", () => {
  const program = `${head}def maybe(x, i):
    r = F.relu(x) if i > 0 else None
    return r
def same(x):
    return x
for i in range(3):
    z = maybe(x, i)
w = same(x)
n = 3
print(n)
`;
  expect(hinted(program)).toEqual([
    "r = F.relu(x) if i > 0 else None # [a@dp, b, c] ×2, no tensor ×1",
    "return r # [a@dp, b, c] ×2, no tensor ×1",
    "z = maybe(x, i) # [a@dp, b, c] ×2, no tensor ×1",
  ]);
});
