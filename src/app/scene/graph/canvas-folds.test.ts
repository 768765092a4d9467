import { expect, test } from "vitest";
import { compile } from "#compile";
import { blocksOf } from "./canvas-blocks.ts";
import { foldedRunOf, nodeOf, runNodeOf } from "./canvas-folded.ts";
import { layoutGraph } from "./layout-graph.ts";

/** Equal layers, each with its own weights and one all-reduce. */
function layers(count: number, more = ""): string {
  return `mesh = Mesh(dp=2, tp=4)
def layers(x):
    up = Parameter((16, 64), "bf16")
    down = Parameter((64, 16), "bf16")
    h = matmul(x, up)
    a = gelu(h)
    o = matmul(a, down)
    z = add(x, o)
    return z
x = Tensor((8, 16), "bf16")
for i in range(${count}):
    x = layers(x)
strategy("layers[*].h", m="dp", n="tp")
strategy("layers[*].o", m="dp", k="tp")
${more}`;
}

const six = compile(layers(6));
const keys = blocksOf(six)[0]?.runs.map(({ key }) => key) ?? [];

function cards(open: readonly string[], compiled = six): readonly string[] {
  return layoutGraph(compiled, new Set(open)).nodes.flatMap((node) => {
    if (node.kind === "operator") return [node.name];
    if (node.kind === "run") return [`[${node.run.label} ${node.run.place}/${node.run.count}`];
    return node.kind === "stack" ? [`${node.stack.label} ×${node.stack.count}`] : [];
  });
}

test("equal layers stand once, with how many there are", () => {
  expect(cards([])).toEqual(["layers[0…5] ×6"]);
  const stack = layoutGraph(six).nodes.find((node) => node.kind === "stack");
  expect(stack?.stack.each).toBe("4 operators, 1 redistribution each");
  const result = layoutGraph(six).nodes.find(({ id }) => id === "tensor-layers[5].z");
  expect(result?.kind === "tensor" && result.caption.name).toBe("layers[5].z");
  expect(stack?.stack.runs.map(({ operators }) => operators.length)).toEqual([4, 4, 4, 4, 4, 4]);
});

test("layers are called as the text calls them, a result that the text names by its name", () => {
  const compiled = compile(`import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(32, 16)
        self.mlp = nn.Sequential(nn.Linear(16, 64), nn.GELU(), nn.Linear(64, 16))
        self.head = nn.Linear(16, 32)
    def forward(self, ids):
        x = self.wte(ids)
        y = self.mlp(x)
        return self.head(x + y)
logits = Net()(torch.zeros(8, 4, dtype=torch.long))
`);
  const names = layoutGraph(compiled).nodes.flatMap((node) => {
    if (node.kind === "operator") return [node.name];
    return node.kind === "tensor" && node.side === "right" ? [`(${node.caption.name})`] : [];
  });
  for (const name of ["wte", "(x)", "mlp[0]", "(mlp[0])", "head", "(logits)"])
    expect(names).toContain(name);
});

test("an operator is not called by a weight that stands beside it under that name", () => {
  const compiled = compile(
    "mesh = Mesh(dp=2)\nx = Tensor((8, 4))\nw = Parameter((4, 4))\nz = relu(matmul(x, w))\n",
  );
  const names = layoutGraph(compiled).nodes.flatMap((node) =>
    node.kind === "operator" ? [node.name] : [],
  );
  expect(names).toEqual(["matmul_1", "z"]);
});

test("an open layer is written out between the folded ones before and behind it", () => {
  const open = [keys[2] ?? ""];
  expect(cards(open).toSorted()).toEqual(
    ["layers[0…1] ×2", "[layers[2] 3/6", "h", "a", "o", "z", "layers[3…5] ×3"].toSorted(),
  );
  const layout = layoutGraph(six, new Set(open));
  const [frame] = layout.frames;
  const inside = layout.nodes.filter((node) => node.kind === "operator");
  const isAround = inside.every(
    ({ y, height }) => frame !== undefined && frame.y < y && y + height < frame.y + frame.height,
  );
  expect(isAround).toBe(true);
});

test("all layers open show what was never folded, but for the heads and short names", () => {
  const layout = layoutGraph(six, new Set(keys));
  const operators = layout.nodes.flatMap((node) =>
    node.kind === "operator" ? [node.operator] : [],
  );
  expect(operators).toEqual(six.graph.operators.map(({ id }) => id));
  const badges = layout.nodes.filter(({ kind }) => kind === "redistribution");
  expect(badges).toHaveLength(six.program.redistributions.length);
});

test("badges on the canvas and the bytes of the stacks add up to the plan's", () => {
  for (const open of [[], keys.slice(0, 1), keys.slice(2, 4), keys]) {
    const { nodes } = layoutGraph(six, new Set(open));
    const bytes = new Map(six.program.redistributions.map((each) => [each.index, each.bytes]));
    const sum = nodes.reduce((total, node) => {
      if (node.kind === "stack") return total + node.stack.bytes;
      return node.kind === "redistribution" ? total + (bytes.get(node.redistribution) ?? 0) : total;
    }, 0);
    expect(sum).toBe(six.program.redistributions.reduce((total, each) => total + each.bytes, 0));
  }
});

test("a layer that differs stays open", () => {
  const one = compile(layers(6, 'strategy("layers[0].h", m="dp")\n'));
  const shown = cards([], one);
  expect(shown).toContain("h");
  const head = layoutGraph(one).nodes.find((node) => node.kind === "run");
  expect(head?.run).toMatchObject({ label: "layers[0]", differsBy: ["h", "a"] });
  expect(shown.some((text) => /^layers\[1…5\] ×5$/u.test(text))).toBe(true);
});

test("a norm that is cut along the dim that it reduces runs in stages, and its layers stand once", () => {
  const compiled = compile(`mesh = Mesh(dp=2, tp=4)
gain = Parameter((16,))
z = Tensor((8, 16))
for layer in range(10):
    n = layer_norm(z, gain)
    h = matmul(n, Parameter((16, 16)))
    z = add(z, h)
strategy("n*", a="dp", b="tp")
strategy("h*", m="dp", k="tp")
`);
  const stages = compiled.program.graph.operators.filter(({ of }) => of !== undefined);
  expect(stages.length).toBeGreaterThan(0);
  const [block] = blocksOf(compiled);
  expect(block?.alike.length).toBeGreaterThanOrEqual(5);
  expect(block?.runs[0]?.operators.length).toBe(3);
});

test("two equal layers, and equal branches that hand nothing on, are not folded", () => {
  expect(blocksOf(compile(layers(2)))).toEqual([]);
  const branches = `x = Tensor((8, 16))
def branches(x):
    return gelu(matmul(x, Parameter((16, 16))))
a = branches(x)
b = branches(x)
c = branches(x)
d = branches(x)
`;
  expect(blocksOf(compile(branches))).toEqual([]);
});

test("everything inside a stack is found in its run, and what is drawn is in none", () => {
  const layout = layoutGraph(six);
  for (const [at, key] of keys.entries()) {
    const operator = six.graph.operators.find(({ name }) => name === `layers[${at}].o`);
    const weight = six.graph.tensors.find(({ name }) => name === `layers[${at}].up`);
    expect(operator && foldedRunOf(layout, { operator: operator.id })).toBe(key);
    expect(weight && foldedRunOf(layout, { tensor: weight.id })).toBe(key);
    expect(runNodeOf(layout, key)?.kind).toBe("stack");
  }
  const open = layoutGraph(six, new Set(keys));
  for (const { id } of six.graph.operators) {
    expect(nodeOf(open, { operator: id })?.kind).toBe("operator");
    expect(foldedRunOf(open, { operator: id })).toBeUndefined();
  }
});
