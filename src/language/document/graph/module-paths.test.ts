import { describe, expect, test } from "vitest";
import { isModuleNode, type ModuleNode, moduleTree, operatorLabels } from "#core/ir";
import { readDocument } from "#systems";

const head = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n";

const block = `${head}
class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.q, self.k = nn.Linear(d, d), nn.Linear(d, d)
    def scores(self, x):
        return self.q(x) @ self.k(x).transpose(1, 2)
    def forward(self, x):
        return self.scores(x) @ x

class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.attn, self.ln = Attention(d), nn.LayerNorm(d)
    def forward(self, x):
        return x + F.gelu(self.attn(self.ln(x)))

class Net(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.blocks = nn.ModuleList(Block(d) for _ in range(2))
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

`;

/** Operators as `module: label`, and their module tree as nested names. */
function modulesOf(source: string): { readonly each: readonly string[]; readonly tree: string } {
  const { graph } = readDocument(source);
  const labels = operatorLabels(graph);
  const nested = (node: ModuleNode): string =>
    node.items
      .map((item) => (isModuleNode(item) ? `${item.key}(${nested(item)})` : labels.get(item.id)))
      .join(" ");
  return {
    each: graph.operators.map(({ id, module }) => `${module ?? ""}: ${labels.get(id)}`),
    tree: nested(moduleTree(graph.operators)),
  };
}

describe("modules of operators", () => {
  test("sums of a package's layers stand in the layer whose method adds them", () => {
    const { tree } = modulesOf(`import torch
from transformers import LlamaConfig, LlamaForCausalLM
config = LlamaConfig(hidden_size=64, intermediate_size=128, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2, vocab_size=100)
model = LlamaForCausalLM(config)
ids = torch.randint(0, 100, (2, 16))
loss = model(ids, labels=ids).loss
`);
    const layer = (at: number) =>
      new RegExp(String.raw`model\.layers\[${at}\]\(.*\) \+ .*\) \+\)`, "u");
    expect(tree).toMatch(layer(0));
    expect(tree).toMatch(layer(1));
    expect(tree).not.toContain("layers[0]#2");
  });

  test("layers of a package's model stand by their paths, its sums beside them", () => {
    const { each } = modulesOf(
      "import torch\nfrom torchvision import models\ndef main():\n    net = models.resnet18()\n    y = net(torch.randn(1, 3, 64, 64)).mean()\nmain()\n",
    );
    expect(each.slice(4, 11)).toEqual([
      ...["layer1[0].conv1: conv1", "layer1[0].bn1: bn1", "layer1[0].relu: relu"],
      ...["layer1[0].conv2: conv2", "layer1[0].bn2: bn2", "layer1[0]: +", "layer1[0].relu: relu"],
    ]);
    expect(each.at(-1)).toBe(": mean");
  });

  test("layers in mixed precision keep their names, whatever is cast around them", () => {
    const layers = `net = nn.Sequential()\nnet.conv1 = nn.Conv2d(3, 8, 3)\nnet.fc = nn.Linear(8, 8)`;
    const forward = `with torch.autocast("cuda", dtype=torch.bfloat16):\n    y = net.fc(net.fc(net.conv1(x).mean((2, 3))))`;
    const { each } = modulesOf(`${head}${layers}\nx = torch.randn(2, 3, 9, 9)\n${forward}`);
    const named = each.map((text) => text.split(": ")[1]).filter((label) => label !== "to");
    expect(named).toContain("conv1");
    expect(named.filter((label) => label === "fc").length).toBeGreaterThanOrEqual(2);
    expect(named.filter((label) => /conv2d|linear/u.test(label ?? ""))).toEqual([]);
  });

  test("a function in which a whole script runs is no module", () => {
    const script = `def step(net):\n    return net(torch.randn(2, 4, 8)).mean()\n\ndef main():\n    step(Net(8))\n`;
    const { each } = modulesOf(`${block}${script}main()`);
    expect(each[0]).toBe("blocks[0].ln: ln");
    expect(each.at(-1)).toBe(": mean");
  });

  test("a layer stands in its own module, a method in the module that it is of", () => {
    const { each, tree } = modulesOf(`${block}net = Net(8)\ny = net(torch.randn(2, 4, 8))`);
    expect(each.slice(0, 7)).toEqual([
      "blocks[0].ln: ln",
      "blocks[0].attn.q: q",
      "blocks[0].attn.k: k",
      "blocks[0].attn: transpose",
      "blocks[0].attn: matmul",
      "blocks[0].attn: matmul",
      "blocks[0]: gelu",
    ]);
    expect(tree).toBe(
      [0, 1]
        .map((at) => {
          const path = `blocks[${at}]`;
          const attn = `${path}.attn(${path}.attn.q(q) ${path}.attn.k(k) transpose matmul matmul)`;
          return `${path}(${path}.ln(ln) ${attn} gelu +)`;
        })
        .join(" "),
    );
  });

  test("several models begin with their variables, a module that runs twice is told apart", () => {
    const { each } = modulesOf(
      `${block}teacher, student = Block(8), Block(8)\nx = torch.randn(2, 4, 8)\na = teacher(x)\nb = student(x)\nc = student(b)`,
    );
    const modules = new Set(each.map((text) => text.split(":")[0]?.split(".")[0]));
    expect([...modules]).toEqual(["teacher", "student[0]", "student[1]"]);
  });

  test("what a loop's round reads of the round before stays in its own round", () => {
    const { each } = modulesOf(
      `${head}def project(x, w):\n    return x @ w\ndef block(x, w):\n    h = project(x, w)\n    return x + h\nx, w = torch.randn(8, 8), torch.randn(8, 8)\nfor _ in range(3):\n    x = block(x, w)`,
    );
    expect(each).toEqual(
      [0, 1, 2].flatMap((at) => [`block[${at}].project: project`, `block[${at}]: +`]),
    );
  });

  test("the reader of a weight that a function makes is called by that function", () => {
    const { each } = modulesOf(
      `${head}def norm(x):\n    weight = Parameter((8,))\n    return weight * (x * torch.rsqrt((x ** 2).mean(-1, True)))\ndef block(x):\n    return x + norm(x)\nx = torch.randn(8, 8)\nfor _ in range(2):\n    x = block(x)`,
    );
    const [first, second] = [each.slice(0, 6), each.slice(6)];
    expect(first.slice(-2)).toEqual(["block[0].norm: norm", "block[0]: +"]);
    expect(second).toEqual(first.map((text) => text.replace("[0]", "[1]")));
  });

  test("functions of the text are modules, numbered where they run more than once", () => {
    const { each } = modulesOf(
      `${head}def project(x, w):\n    return x @ w\ndef block(x, w):\n    h = project(x, w)\n    return F.gelu(h)\nx, w = torch.randn(4, 8), torch.randn(8, 8)\nfor _ in range(2):\n    x = block(x, w)`,
    );
    expect(each).toEqual([
      "block[0].project: project",
      "block[0]: gelu",
      "block[1].project: project",
      "block[1]: gelu",
    ]);
  });

  test("a result without a name is called after the weight that it reads", () => {
    const { each } = modulesOf(
      `${head}class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.up = nn.Linear(8, 8)\n    def forward(self, x):\n        return F.relu(F.linear(x, self.up.weight))\ny = M()(torch.randn(2, 8))`,
    );
    expect(each[0]).toBe(": up");
  });
});
