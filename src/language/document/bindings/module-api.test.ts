import { expect, test } from "vitest";
import { readDocument } from "#systems";

function read(lines: string) {
  return readDocument(
    `import torch, copy\nfrom torch import nn\nfrom collections import OrderedDict\n${lines}`,
  );
}

const net = `
class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.register_buffer("mask", torch.ones(dim, dim))
    def forward(self, x):
        return self.fc(x) if self.training else x
class Net(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.emb = nn.Embedding(16, 8)
        self.blocks = nn.ModuleList([Block(8) for _ in range(depth)])
        self.head = nn.Linear(8, 16, bias=False)
        self.head.weight = self.emb.weight
        self.aside = [nn.Linear(100, 100)]
    def forward(self, ids):
        x = self.emb(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(x)
net = Net(3)
`;

/** Parameter counts as in PyTorch 2: tied weights count once, buffers never. */
test.each`
  what                                 | text                                                                                                                                                                                                                                                                        | parameters
  ${"tied weights, and a Python list"} | ${net}                                                                                                                                                                                                                                                                      | ${16 * 8 + 3 * 72}
  ${"a copy with weights of its own"}  | ${`${net}\nm = nn.ModuleList([net, copy.deepcopy(net)])\nnet = m`}                                                                                                                                                                                                          | ${2 * (16 * 8 + 3 * 72)}
  ${"modules by name"}                 | ${"net = nn.Sequential(OrderedDict([('a', nn.Linear(2, 3)), ('b', nn.ReLU())]))"}                                                                                                                                                                                           | ${9}
  ${"a part set by its number"}        | ${"net = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 4))\nfor name, child in net.named_children():\n    if isinstance(child, nn.Linear):\n        setattr(net, name, nn.Linear(child.in_features, child.out_features, bias=False))\ny = net(torch.randn(5, 2))"} | ${18}
  ${"a part added in place of one"}    | ${"net = nn.ModuleList([nn.Linear(2, 3)])\nnet.add_module('0', nn.Linear(2, 5))\ny = getattr(net, '0')(torch.randn(5, 2))"}                                                                                                                                                 | ${15}
  ${"a module that is wrapped"}        | ${"from torch.nn.parallel import DistributedDataParallel as DDP\nnet = DDP(nn.Linear(2, 3))\ny = net(torch.randn(4, 2))"}                                                                                                                                                   | ${9}
  ${"a part of a sequence"}            | ${"net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 4))[:1]"}                                                                                                                                                                                                              | ${9}
`("parameters are counted as PyTorch counts them: $what", ({ text, parameters }) => {
  const { modules, diagnostics } = read(text);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(modules.get("net")).toBe(parameters);
});

/** Names and sizes of the parameters of named layers in a sequence, as in PyTorch 2. */
test.each`
  what                    | change                                                                                       | named
  ${"as they are given"}  | ${""}                                                                                        | ${"a.weight 6, a.bias 3, b.weight 12, b.bias 4"}
  ${"one replaced"}       | ${"net.b = nn.Linear(3, 5)"}                                                                 | ${"a.weight 6, a.bias 3, b.weight 15, b.bias 5"}
  ${"one at its place"}   | ${"net[-1] = nn.Linear(3, 5)"}                                                               | ${"a.weight 6, a.bias 3, b.weight 15, b.bias 5"}
  ${"one more"}           | ${"net.append(nn.Linear(4, 1))"}                                                             | ${"a.weight 6, a.bias 3, b.weight 12, b.bias 4, 2.weight 4, 2.bias 1"}
  ${"more by name"}       | ${"net.add_module('c', nn.Linear(4, 1, True))"}                                              | ${"a.weight 6, a.bias 3, b.weight 12, b.bias 4, c.weight 4, c.bias 1"}
  ${"with a number"}      | ${"net.add_module('7', nn.Linear(4, 1))"}                                                    | ${"a.weight 6, a.bias 3, b.weight 12, b.bias 4, 7.weight 4, 7.bias 1"}
  ${"numbers of another"} | ${"net = nn.Sequential()\nfor i in range(3, 5):\n  net.add_module(str(i), nn.Linear(2, 2))"} | ${"3.weight 4, 3.bias 2, 4.weight 4, 4.bias 2"}
  ${"one taken away"}     | ${"del net[0]\nnet = nn.Sequential(nn.Linear(1, 3, bias=True), net)"}                        | ${"0.weight 3, 0.bias 3, 1.b.weight 12, 1.b.bias 4"}
  ${"the last popped"}    | ${"net.pop(-1)"}                                                                             | ${"a.weight 6, a.bias 3"}
`("layers of a sequence by name: $what", ({ change, named }) => {
  const { diagnostics } =
    read(`net = nn.Sequential(OrderedDict(a=nn.Linear(2, 3), b=nn.Linear(3, 4)))
${change}
said = ", ".join(f"{name} {each.numel()}" for name, each in net.named_parameters())
if said != "${named}":
    raise ValueError(said)
net(torch.zeros(1, next(net.parameters()).shape[1]))
`);
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
});

/** Values of expressions over `net`, as in PyTorch 2. */
test.each`
  expression                                      | value
  ${"sum(p.numel() for p in net.parameters())"}   | ${344}
  ${"len(list(net.modules()))"}                   | ${10}
  ${"[n for n, _ in net.named_children()]"}       | ${["emb", "blocks", "head"]}
  ${"[n for n, _ in net.named_parameters()][:2]"} | ${["emb.weight", "blocks.0.fc.weight"]}
  ${"[n for n, _ in net.named_buffers()]"}        | ${["blocks.0.mask", "blocks.1.mask", "blocks.2.mask"]}
  ${"net.eval().blocks[0].training"}              | ${false}
  ${"next(net.parameters()).data.numel()"}        | ${128}
  ${"net.training"}                               | ${true}
  ${"list(net.state_dict())[1:4]"}                | ${["blocks.0.mask", "blocks.0.fc.weight", "blocks.0.fc.bias"]}
  ${"len(net.state_dict())"}                      | ${11}
`("$expression", ({ expression, value }) => {
  const said = JSON.stringify(value).replace("false", "False").replace("true", "True");
  const { diagnostics } = read(
    `${net}\nassert ${expression} == ${said}, ${expression}\nnet(Tensor((2, 4), "int64"))\n`,
  );
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
});

test("a result that a function has named is called after the variable that holds it", () => {
  const { graph } = read(`${net}\ny = net(Tensor((2, 4), "int64"))\n`);
  expect(graph.tensors.find(({ name }) => name === "y")?.shape).toEqual([2, 4, 16]);
});

test("a text that only defines says that nothing runs, with the call as a fix", () => {
  const text = `${net.replace("net = Net(3)", "")}\nhelper = Net\ndef test_net():\n    return Net(2)(Tensor((2, 4), "int64"))\n`;
  const { diagnostics, source } = read(text);
  const found = diagnostics.find(({ code }) => code === "document/nothing-runs");
  const titles = found?.fixes?.map(({ title }) => title);
  expect(titles).toEqual([
    "Write y = Net(depth=2)(ids)",
    "Write y = Block(dim=8)(x)",
    "Write test_net()",
  ]);
  const edit = found?.fixes?.[2]?.edits[0];
  const fixed = readDocument(source.slice(0, edit?.from) + edit?.text);
  expect(fixed.graph.operators.length).toBeGreaterThan(2);
  expect(fixed.diagnostics.some(({ code }) => code === "document/nothing-runs")).toBe(false);
});

test.each`
  layer                                              | call                               | parameters
  ${"from mylib import Attention\na = Attention(8)"} | ${"self.other(self.fc(x))"}        | ${undefined}
  ${"from mylib import settings\na = settings(8)"}   | ${"self.fc(x) * self.other.scale"} | ${72}
  ${"a = nn.Linear(8, 2)"}                           | ${"self.other(self.fc(x))"}        | ${90}
`(
  "a net that holds [$layer] and gives $call has $parameters parameters",
  ({ layer, call, parameters }) => {
    const { modules } = read(`${layer}
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 8)
        self.other = a
    def forward(self, x):
        return ${call}
net = nn.Sequential(Net())
y = net(torch.zeros(4, 8))
`);
    expect(modules.get("net")).toBe(parameters);
  },
);

const holding = (made: string) => `import torch
from torch import nn
from torch.optim import Adam
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 6)
        self.held = ${made}
    def forward(self, x):
        return self.fc(x)
net = Net()
y = net(torch.rand(3, 4))
`;

test("an optimizer that a module holds adds no parameters", () => {
  expect(readDocument(holding("Adam(self.parameters(), lr=0.1)")).modules.get("net")).toBe(30);
});

test("where a module holds something that is not read, it is said that its parameters are not known", () => {
  const { diagnostics, modules } = readDocument(holding("torch.ao.Thing(3)"));
  expect(modules.get("net")).toBeUndefined();
  expect(diagnostics.map(({ message }) => message)).toContain(
    'how many parameters "net" has is not known: it holds "torch.ao.Thing()", which is not read',
  );
});

/** Effects of forward hooks and of `_modules`, as in PyTorch 2. */
test.each`
  what                         | lines                                                                                             | shape
  ${"one that only looks"}     | ${"seen = []\nnet[0].register_forward_hook(lambda m, i, o: seen.append(o))\nnet(x)\ny = seen[0]"} | ${[5, 3]}
  ${"one that gives another"}  | ${"net[0].register_forward_hook(lambda m, i, o: o[:2])\ny = net(x)"}                              | ${[2, 4]}
  ${"one that was taken away"} | ${"h = net[0].register_forward_hook(lambda m, i, o: o[:2])\nh.remove()\ny = net(x)"}              | ${[5, 4]}
  ${"one before it"}           | ${"net.register_forward_pre_hook(lambda m, i: (i[0][:1],))\ny = net(x)"}                          | ${[1, 4]}
  ${"one with keywords"}       | ${"net.register_forward_hook(lambda m, i, k, o: o[:, :1], with_kwargs=True)\ny = net(x)"}         | ${[5, 1]}
  ${"a module by its name"}    | ${"net._modules['1'] = nn.Linear(3, 7)\ny = net(x)"}                                              | ${[5, 7]}
  ${"one more by its name"}    | ${"net._modules['more'] = nn.Linear(4, 6)\ny = net(x)"}                                           | ${[5, 6]}
  ${"one fewer"}               | ${"del net._modules['1']\ny = net(x)"}                                                            | ${[5, 3]}
  ${"modules in order"}        | ${"y = x\nfor name, m in net._modules.items():\n  y = m(y)"}                                      | ${[5, 4]}
`("hooks and modules by name: $what", ({ lines, shape }) => {
  const { diagnostics, graph } = read(`net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 4))
x = torch.zeros(5, 2)
${lines}
z = y + 1
`);
  expect(diagnostics.filter(({ severity }) => severity !== "info")).toEqual([]);
  expect(graph.tensors.find(({ name }) => name === "z")?.shape).toEqual(shape);
});

test("functions that run with the backward pass are left out, which is said once", () => {
  const { diagnostics, graph } = read(`net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 4))
for p in net.parameters():
    p.register_post_accumulate_grad_hook(lambda p: None)
net[0].register_full_backward_hook(print)
net[1].register_full_backward_hook(print).remove()
y = net(torch.zeros(5, 2))
y.register_hook(lambda g: g * 2).remove()
`);
  expect(diagnostics.map(({ code }) => code)).toEqual(new Array(3).fill("document/backward-hook"));
  expect(graph.operators.length).toBe(2);
});
