import { expect, test } from "vitest";
import { compile } from "#compile";
import { writeCode } from "../../code.testing.ts";

function textOf(program: string): string {
  const code = writeCode(compile(program), "jax-rules");
  return code.ok ? code.files[0].text : `refused: ${code.reason}`;
}

function rulesOf(program: string): readonly string[] {
  return [...textOf(program).matchAll(/^ {4}\((r".*\))\),$/gmu)].map(([, rule = ""]) => rule);
}

const net = `import torch.nn as nn
mesh = Mesh(dp=2, tp=4)
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(16)
        self.up = nn.Linear(16, 32)
        self.down = nn.Linear(32, 16)
    def forward(self, x):
        return x + self.down(self.up(self.norm(x)).relu())
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(3))
    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x
x = Tensor((8, 16))
y = Net()(x)
place(x, layout("dp", None))
place("layers[*].up.weight", layout("tp", "dp"))
place("layers[*].down.weight", layout(None, "tp"))
`;

test("equal layers have one rule, in the words of PyTorch and of Flax, whose kernels are turned", () => {
  expect(rulesOf(net)).toEqual([
    String.raw`r"layers[._]\d+\.norm\.weight", P()`,
    String.raw`r"layers[._]\d+\.norm\.scale", P()`,
    String.raw`r"layers[._]\d+\.norm\.bias", P()`,
    String.raw`r"layers[._]\d+\.up\.weight", P("tp", "dp")`,
    String.raw`r"layers[._]\d+\.up\.kernel", P("dp", "tp")`,
    String.raw`r"layers[._]\d+\.up\.bias", P("tp")`,
    String.raw`r"layers[._]\d+\.down\.weight", P(None, "tp")`,
    String.raw`r"layers[._]\d+\.down\.kernel", P("tp")`,
    String.raw`r"layers[._]\d+\.down\.bias", P()`,
  ]);
});

test("layers that lie differently have a rule each", () => {
  const rules = rulesOf(`${net}place("layers[1].down.weight", layout("tp", None))\n`);
  expect(rules).toContain(String.raw`r"layers[._]1\.down\.weight", P("tp")`);
  expect(rules).toContain(String.raw`r"layers[._]2\.down\.weight", P(None, "tp")`);
});

test("inputs, and results that the plan moves, are held to how they lie", () => {
  expect(textOf(net)).toContain('    "x": P("dp"),\n');
});

test("an updated parameter has no rule of its own", () => {
  expect(rulesOf(`${net}train(y.sum())\n`).every((rule) => !rule.includes("new"))).toBe(true);
});

test("device orders are those of the mesh", () => {
  const program = `mesh = Mesh(d=4, devices=[3, 1, 2, 0])\nx = Tensor((8, 4))\nw = Parameter((4, 4))\ny = x @ w\nplace(w, layout("d", None))\n`;
  expect(textOf(program)).toContain("for at in [3, 1, 2, 0]]).reshape((4,))");
  expect(rulesOf(program)).toEqual(['r"w", P("d")']);
});

test.each([
  [
    "without parameters",
    "mesh = Mesh(d=2)\nx = Tensor((4, 4))\ny = relu(x)\n",
    "it has no parameters",
  ],
  [
    "with uneven blocks",
    'mesh = Mesh(d=4)\nx = Tensor((6, 4))\nw = Parameter((6, 4))\ny = x * w\nplace(w, layout("d", None))\n',
    "is cut unevenly",
  ],
])("a plan %s is refused", (_, program, why) => {
  expect(textOf(program)).toContain(why);
});
