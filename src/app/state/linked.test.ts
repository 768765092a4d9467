import { expect, test } from "vitest";
import { compile } from "#compile";
import { linkedAt, linkedOperators, linkedPlaces, operatorsAt, textPlacesOf } from "./linked.ts";

const program = `import torch
import torch.nn as nn
import torch.nn.functional as F
mesh = Mesh(dp=2, tp=2)
class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(16, 48, bias=False)
    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        return F.scaled_dot_product_attention(
            q, k, v)
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(16)
        self.attn = Attention()
    def forward(self, x):
        x = x + self.attn(self.norm(x))
        return x
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([Block() for _ in range(2)])
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x
x = Tensor((8, 4, 16))
net = Net()
out = net(x)
loss = out.sum()
train(loss)
strategy("blocks[*].linear_1", n="tp")
`;
const compiled = compile(program);
const { graph } = compiled;

/**
 * The operators highlighted at a place: those of the text by op, each once with its count; training
 * ones separately.
 */
function lit(marked: string): string {
  const line = program.split("\n").find((each) => each.includes(marked.replace("‸", ""))) ?? "";
  const at = program.indexOf(line) + line.indexOf(marked.replace("‸", "")) + marked.indexOf("‸");
  const linked = linkedAt(compiled, at);
  if (linked === undefined) return "nothing";
  const counts = new Map<string, number>();
  for (const { id, op } of graph.operators)
    if (linked.operators.has(id)) counts.set(op, (counts.get(op) ?? 0) + 1);
  return [...counts].map(([op, count]) => `${op} ×${count}`).join(", ") || "tensors";
}

test.each`
  what                                         | at                          | lights
  ${"the name of a line that calls a module"}  | ${"‸x = x + self.attn"}     | ${"layer_norm ×2, linear ×2, chunk ×2, scaled_dot_product_attention ×2, add ×2"}
  ${"its indent"}                              | ${"‸    x = x + self.attn"} | ${"layer_norm ×2, linear ×2, chunk ×2, scaled_dot_product_attention ×2, add ×2"}
  ${"its end"}                                 | ${"(self.norm(x))‸"}        | ${"layer_norm ×2, linear ×2, chunk ×2, scaled_dot_product_attention ×2, add ×2"}
  ${"the module that it calls"}                | ${"self.at‸tn(self"}        | ${"linear ×2, chunk ×2, scaled_dot_product_attention ×2"}
  ${"what is called inside"}                   | ${"self.no‸rm(x))"}         | ${"layer_norm ×2"}
  ${"the sum around it"}                       | ${"x ‸+ self.attn"}         | ${"add ×2"}
  ${"the second line of a call"}               | ${"q, ‸k, v)"}              | ${"scaled_dot_product_attention ×2"}
  ${"a layer where it is made"}                | ${"self.qkv = ‸nn.Linear"}  | ${"linear ×2"}
  ${"a loop's body"}                           | ${"‸x = block(x)"}          | ${"layer_norm ×2, linear ×2, chunk ×2, scaled_dot_product_attention ×2, add ×2"}
  ${"the name of a class"}                     | ${"class Atten‸tion"}       | ${"linear ×2, chunk ×2, scaled_dot_product_attention ×2"}
  ${"a call that says how something is split"} | ${"strategy(‸"}             | ${"linear ×2"}
  ${"an input"}                                | ${"x = Ten‸sor"}            | ${"tensors"}
  ${"a line that makes nothing"}               | ${"mesh = Me‸sh"}           | ${"nothing"}
`("$what lights $lights", ({ at, lights }) => {
  expect(lit(at)).toBe(lights);
});

test("what a training step adds for a line lights with it, and stands where its operator stands", () => {
  const at = program.indexOf("self.norm(x))");
  const operators = linkedAt(compiled, at)?.operators ?? new Set();
  const added = compiled.program.graph.operators.filter(
    ({ id, phase }) => operators.has(id) && phase === "backward",
  );
  expect(added.length).toBeGreaterThan(0);
  for (const { id } of added)
    expect(program.slice(...spanText(textPlacesOf(compiled, { operator: id })[0]))).toBe(
      "self.norm(x)",
    );
});

test("an operator stands at its own place and at each call that led there", () => {
  const norm = graph.operators.find(({ op }) => op === "layer_norm");
  const places = textPlacesOf(compiled, { ...(norm && { operator: norm.id }) });
  expect(places.map((span) => program.slice(span.from, span.to))).toEqual([
    "self.norm(x)",
    "block(x)",
    "net(x)",
  ]);
});

test("what a list points at has the places of each of its operators, each place once", () => {
  const added = graph.operators.filter(({ op }) => op === "linear" || op === "chunk");
  const linked = linkedOperators(
    compiled,
    "qkv",
    added.map(({ id }) => id),
  );
  const texts = linkedPlaces(compiled, linked).map(({ from, to }) => program.slice(from, to));
  expect(texts.toSorted()).toEqual([
    "block(x)",
    "net(x)",
    "self.attn(self.norm(x))",
    "self.qkv(x)",
    "self.qkv(x).chunk(3, dim=-1)",
  ]);
});

test("every operator of the text is lit by its own place, and its place marks it", () => {
  for (const { id, span } of graph.operators) {
    const { from, to } = span ?? { from: 0, to: 0 };
    const offsets = Array.from({ length: to - from }, (_, at) => from + at);
    expect(offsets.some((at) => linkedAt(compiled, at)?.operators.has(id))).toBe(true);
    expect(operatorsAt(compiled, { from, to })).toContain(id);
    expect(textPlacesOf(compiled, { operator: id })[0]).toEqual({ from, to });
  }
});

function spanText(span: { from: number; to: number } | undefined): [number, number] {
  return [span?.from ?? 0, span?.to ?? 0];
}
