import { expect, test } from "vitest";
import { applyEdits } from "#core/diagnostics";
import { readDocument } from "#systems";

const nets = `import torch

class Block(torch.nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.up = torch.nn.Linear(dim, dim)
    def forward(self, x):
        return self.up(x)

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block(8)
    def forward(self, x):
        return self.block(x)

nets = [Net, Block]

def test_net():
    return Net()(torch.randn(4, 8))

def test_block():
    return Block(8)(torch.randn(2, 8))
`;

const choicesOf = (text: string) => readDocument(text).trace.choices;
const shown = (text: string) =>
  choicesOf(text).map(({ line, isChosen }) => (isChosen ? `> ${line}` : line));

function chosen(text: string, line: string): string {
  const choice = choicesOf(text).find((each) => each.line === line);
  return applyEdits(text, choice?.edits ?? []);
}

const all = ["y = Net()(x)", "y = Block(dim=8)(x)", "test_net()", "test_block()"];

test("a text that runs nothing offers its modules and functions", () => {
  expect(shown(nets)).toEqual(all);
});

test("a choice is one line at the end, and another takes its place", () => {
  const one = chosen(nets, "test_net()");
  expect(one).toBe(`${nets}test_net()\n`);
  expect(shown(one)).toEqual(all.map((line) => (line === "test_net()" ? `> ${line}` : line)));
  const other = chosen(one, "test_block()");
  expect(other).toBe(`${nets}test_block()\n`);
  expect(readDocument(other).graph.operators.map(({ op }) => op)).toEqual(["linear"]);
});

test.each`
  added                                                     | lines
  ${"y = Block(8)(Tensor((4, 8)))\nz = y + y"}              | ${["test_net()", "test_block()"]}
  ${"def helper(x):\n    return x\nz = Tensor((4, 8)) * 2"} | ${["test_net()", "test_block()"]}
`("beside [$added] only tests are offered: $lines", ({ added, lines }) => {
  expect(shown(`${nets}${added}\n`)).toEqual(lines);
});

test("what is chosen and draws nothing is not offered again", () => {
  const text = `${nets}def test_nothing():\n    return 3\n\ntest_nothing()\n`;
  const found = readDocument(text).diagnostics.find(({ code }) => code === "document/nothing-runs");
  expect(found?.message).toContain('"test_nothing" runs and calls no operator');
  expect(found?.fixes?.map(({ title }) => title)).not.toContain("Write test_nothing()");
});

test("policies are chosen by one line too", () => {
  const policies = ["one", "two"].map(
    (name) =>
      `def ${name}(graph, cfg):\n    for node in graph.nodes():\n        graph.assign(node, 0)\n    return graph\n`,
  );
  const text = `${policies.join("\n")}mesh = Mesh(g=1)\ny = Tensor((4, 8)) * 2\n`;
  expect(shown(text)).toEqual(["> pas_policy = one", "pas_policy = two"]);
  const two = chosen(text, "pas_policy = two");
  expect(two).toBe(`${text}pas_policy = two\n`);
  expect(shown(two)).toEqual(
    ["pas_policy = two", "pas_policy = one"].map((line, at) => (at === 0 ? `> ${line}` : line)),
  );
  expect(chosen(two, "pas_policy = one")).toBe(`${text}pas_policy = one\n`);
});

test.each`
  text                                                                                                                         | says
  ${"import jax.numpy as jnp\ny = jnp.ones((8, 16))"}                                                                          | ${["nothing is drawn: no statement here makes a tensor that is read"]}
  ${"from models import Base\nclass Own(Base):\n    pass\nclass Net(Own):\n    def construct(self, x):\n        return x + 1"} | ${['nothing is drawn: "Net" derives from "Base", which is not in this text, so that nothing says how it is made and called; paste the file that defines "Base" above it']}
  ${"x = 3\nprint(x)"}                                                                                                         | ${["nothing is drawn: no statement here makes a tensor that is read"]}
  ${"# nothing yet"}                                                                                                           | ${[]}
  ${"mesh = Mesh(x=2)"}                                                                                                        | ${[]}
  ${"x = Tensor((4, 8))"}                                                                                                      | ${[]}
  ${"x = = 3"}                                                                                                                 | ${[]}
`("[$text], which holds no operator, says $says of that", ({ text, says }) => {
  const found = readDocument(text).diagnostics;
  const silent = found.filter(({ code }) => code === "document/nothing-runs");
  expect(silent.map(({ message }) => message)).toEqual(says);
});

test("a configuration behind a number is given by name: Python takes no other argument there", () => {
  const router = `class Router(nn.Module):
    def __init__(self, config, heads, parallel_config):
        super().__init__()
        self.heads = heads
    def forward(self, x):
        return x * self.heads
`;
  const line = "y = Router(config, heads=2, parallel_config=parallel_config)(x)";
  const text = nets.replace("nets = [", `${router}\nnets = [Router, `);
  expect(shown(text)).toContain(line);
  const read = readDocument(chosen(text, line));
  expect(read.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});
