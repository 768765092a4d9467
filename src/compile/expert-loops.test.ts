import { expect, test } from "vitest";
import { printLayout } from "#core/mesh";
import { compile } from "./compile.ts";

/** 16 tokens of 8 features, 2 of 4 experts each. */
const head = `import torch
import torch.nn as nn
import torch.nn.functional as F
E, K = 4, 2
mesh = Mesh(dp=2, ep=2)
x = Tensor((16, 8), "f32")
gate = nn.Parameter(torch.empty(E, 8))
up = nn.Parameter(torch.empty(E, 6, 8))
down = nn.Parameter(torch.empty(E, 8, 6))
experts = nn.ModuleList([nn.Linear(8, 8, bias=False) for _ in range(E)])
p = F.softmax(F.linear(x, gate), dim=-1)
w, choice = torch.topk(p, K, dim=-1)
y = torch.zeros_like(x)
mask = F.one_hot(choice, num_classes=E).permute(2, 1, 0)
`;

const sorted = `counts = torch.bincount(choice.flatten(), minlength=E)
order = choice.flatten().argsort()
rows = x[order // K]
`;

const forms: Readonly<Record<string, string>> = {
  "experts that are hit, places, index_add_": `
hit = torch.greater(mask.sum(dim=(-1, -2)), 0).nonzero()
for e in hit:
    e = e[0]
    if e == E:
        continue
    slot, token = torch.where(mask[e])
    h = F.silu(F.linear(x[token], up[e]))
    h = F.linear(h, down[e]) * w[token, slot, None]
    y.index_add_(0, token, h)`,
  "a class for tokens of no expert, behind those of the experts": `
wide = F.one_hot(choice, num_classes=E + 1).permute(2, 1, 0)
for e in torch.greater(wide.sum(dim=(-1, -2)), 0).nonzero()[:]:
    e = e[0]
    if e == E:
        continue
    slot, token = torch.where(wide[e])
    h = F.silu(F.linear(x[token], up[e]))
    y.index_add_(0, token, F.linear(h, down[e]) * w[token, slot, None])`,
  "choices made one after the other": `
first = torch.max(p, dim=-1, keepdim=True)[1]
both = torch.cat((first, choice[:, 1:]), dim=-1)
wide = F.one_hot(both, num_classes=E + 1).permute(2, 1, 0)
for e in torch.greater(wide.sum(dim=(-1, -2)), 0).nonzero():
    e = e[0]
    if e == E:
        continue
    slot, token = torch.where(wide[e])
    y.index_add_(0, token, F.silu(x[token] @ up[e].t()) @ down[e].t() * w[token, slot, None])`,
  "weights with a row of no expert": `
spare = nn.Parameter(torch.empty(E + 1, 8, 6))
for e in range(E):
    token, slot = torch.where(choice.to(torch.int64).view(16, K) == e)
    h = F.silu(F.linear(x[token], up[e]))
    y[token] += F.linear(h, spare[e] + down[e]) * w[token, slot, None]`,
  "a row of hits beside places, and rows of weights": `
for e in torch.greater(mask.sum(dim=(-1, -2)), 0).nonzero():
    slot, token = torch.where(mask[e[0]])
    h = F.silu(x[token] @ up.transpose(1, 2)[e]) @ down.transpose(1, 2)[e]
    y.index_add_(0, token, h[0] * p[token, e, None])`,
  "a row of hits as an index": `
for e in torch.greater(mask.sum(dim=(-1, -2)), 0).nonzero():
    slot, token = torch.where(mask[e].squeeze(0))
    h = experts[e](x[None, token].reshape(-1, 8)) * w[token, slot, None]
    y.index_add_(0, token, h)`,
  "numbers, and what is added at places": `
counts = torch.bincount(choice.flatten(), minlength=E).tolist()
for e in range(0, E):
    if counts[e] == 0:
        continue
    expert = experts[e]
    token, slot = torch.where(choice == e)
    y[token] += expert(x[token]) * w[token, slot, None]`,
  "experts in order, and a condition as an index": `
for e, expert in enumerate(experts):
    mine = (choice == e).any(dim=-1)
    if mine.any():
        y[mine] += expert(x[mine]) * p[mine, e].unsqueeze(1)`,
  "values that occur": `
for e in torch.unique(choice).tolist():
    token, slot = (choice == e).nonzero(as_tuple=True)
    y[token] = y[token] + experts[e](x[token]) * w[token, slot].unsqueeze(-1)`,
  "each choice written once": `
each = x.repeat_interleave(K, dim=0)
made = torch.empty_like(each)
flat = choice.view(-1)
for e, expert in enumerate(experts):
    made[flat == e] = expert(each[flat == e])
y = (made.view(16, K, 8) * w.unsqueeze(-1)).sum(dim=1)`,
  "rows that are split by their numbers": `${sorted}
made = []
for e, part in enumerate(torch.split(rows, counts.tolist(), dim=0)):
    h = F.silu(torch.matmul(part, up[e].transpose(-2, -1)))
    made.append(torch.matmul(h, down[e].transpose(-2, -1)))
y = y.index_add(0, order // K, torch.cat(made, dim=0))`,
  "rows between their numbers": `${sorted}
made, start = [], 0
for e, count in enumerate(counts.cpu().numpy()):
    end = start + count
    if count == 0:
        continue
    made.append(experts[e](rows[start:end]))
    start = end
y = y.index_add(0, order // K, torch.cat(made, dim=0))`,
  "weights in a list": `
parts = [each.squeeze(dim=0) for each in up.chunk(E, dim=0)]
for e in range(E):
    slot, token = torch.where(mask[e])
    if token.shape[0] == 0:
        continue
    h = F.relu(x[token] @ parts[e].t()) @ down[e].t()
    y.index_add_(0, token, h * w[token, slot, None])`,
  "products with picked weights": `
h = F.silu(torch.einsum("tkcd,td->tkc", up[choice, ...], x))
h = torch.einsum("tkdc,tkc->tkd", down[choice], h)
y = (h * w.unsqueeze(-1)).sum(dim=1)`,
  "a function that something unknown wraps": `${sorted}
from .padding import padded
def run(rows, offs):
    h = F.silu(F.grouped_mm(rows, up.transpose(-2, -1), offs=offs))
    return F.grouped_mm(h, down.transpose(-2, -1), offs=offs)
y = y.index_add(0, order // K, padded(run)(rows, torch.cumsum(counts, dim=0, dtype=torch.int32)))`,
  "a grouped product under the name that transformers gives it": `${sorted}
ends = torch.cumsum(counts, dim=0, dtype=torch.int32)
h = F.silu(torch.grouped_mm_fallback(rows, up.transpose(-2, -1), ends))
h = torch.grouped_mm_fallback(h, down.transpose(-2, -1), ends)
y = y.index_add(0, order // K, h)`,
  "a grouped product": `${sorted}
ends = torch.cumsum(counts, dim=0, dtype=torch.int32)
h = F.silu(F.grouped_mm(rows, up.transpose(-2, -1), offs=ends))
h = F.grouped_mm(h, down.transpose(-2, -1), offs=ends)
y = y.index_add(0, order // K, h)`,
};

/** Diagnostics, layouts of results, and shapes of parameters. */
function readingOf(text: string) {
  const { graph, plan, diagnostics, program } = compile(`${head}${text}`);
  const layouts = new Map(
    program.values.map(({ tensor, layout }) => [String(tensor), printLayout(layout)]),
  );
  const shapeOf = new Map(graph.tensors.map(({ id, shape }) => [id, shape]));
  const products = graph.operators.filter(({ entry }) => entry === "einsum" || entry === "matmul");
  return {
    said: diagnostics.map(({ severity, code }) => `${severity} ${code}`),
    y: graph.tensors.findLast(({ name }) => name === "y" || name === "y#2")?.shape,
    experts: products.map(({ outputs }) =>
      (shapeOf.get(outputs[0]?.tensor ?? fail()) ?? []).filter((size) => size !== 1).slice(0, 2),
    ),
    parameters: graph.tensors.flatMap(({ name, role, shape }) =>
      role === "parameter" && name.startsWith("experts") ? [`${name} ${shape}`] : [],
    ),
    layouts,
    plan,
  };
}

function fail(): never {
  throw new Error("no tensor");
}

test.each(Object.entries(forms).map(([form, text]) => ({ form, text })))(
  "a loop over $form is one operator for all experts",
  ({ text }) => {
    const { said, y, experts, parameters } = readingOf(text);
    const assumed = ["document/unknown-module", "document/unknown-result"];
    const own = said.filter((each) => !assumed.some((code) => each === `warning ${code}`));
    expect(own).toEqual(["info document/equal-loads"]);
    expect(said.length - own.length).toBe(text.includes("padded") ? 2 : 0);
    expect(y).toEqual([16, 8]);
    // 16 tokens with 2 experts each: 8 rows for each of 4 experts.
    expect(new Set(experts.map(String))).toEqual(new Set(["4,8"]));
    expect(experts.length).toBe(text.includes("expert") && !text.includes("down") ? 1 : 2);
    const stack = text.includes("experts[e]") || text.includes("expert(") ? ["[*]"] : [];
    for (const [at, mark] of stack.entries())
      expect(parameters[at]).toBe(`experts${mark}.weight 4,8,8`);
  },
);

test("experts are cut over the stack of their weights, tokens go to them and come back", () => {
  const cut = `place(x, layout(("dp", "ep"), "None"))
place("experts[[]*].weight", layout("ep", "None", "None"))
`;
  const text = `${forms["numbers, and what is added at places"]}\n${cut.replace("[[]*]", "[*]")}`;
  const { program } = compile(`${head}${text}`);
  const steps = program.stages.flatMap((stage) => stage.steps);
  const moved = steps.flatMap((step) =>
    step.kind === "collective" && step.collective === "all-to-all" ? [step.axes.join()] : [],
  );
  expect(moved).toContain("ep");
  expect(moved.every((axes) => axes === "ep")).toBe(true);
});

test.each`
  target
  ${'"experts[3].weight"'}
  ${'"experts.3.weight"'}
  ${"experts[3].weight"}
`("place($target, …) of one expert names the tensor of all", ({ target }) => {
  const loop = forms["numbers, and what is added at places"];
  const { diagnostics } = compile(`${head}${loop}\nplace(${target}, layout("ep", "None"))\n`);
  const [said] = diagnostics.filter(({ severity }) => severity === "error");
  expect(said?.code).toBe("document/no-such-tensor");
  expect(said?.message).toMatch(
    /^no tensor is called "experts.*3.*weight": .*"experts\[\*\]\.weight"/,
  );
});

test("picked weights are cut over their experts and stay where they are", () => {
  const cut = `place(x, layout("dp", "None"))
place(up, layout("ep", "None", "None"))
place(down, layout("ep", "None", "None"))
`;
  const { program, graph } = compile(`${head}${forms["products with picked weights"]}\n${cut}`);
  const parameters = new Set(
    graph.tensors.flatMap(({ id, role }) => (role === "parameter" ? id : [])),
  );
  const tensorOf = new Map(program.values.map(({ id, tensor }) => [id, tensor]));
  const sent = program.stages
    .flatMap((stage) => stage.steps)
    .flatMap((step) => (step.kind === "collective" ? [tensorOf.get(step.input)] : []));
  expect(graph.operators.map(({ entry }) => entry)).not.toContain("take");
  expect(sent.length).toBeGreaterThan(0);
  expect(sent.filter((tensor) => tensor !== undefined && parameters.has(tensor))).toEqual([]);
});

test("rows of a codebook that indices name are looked up as ever", () => {
  const { graph, diagnostics } = compile(`${head}code = nn.Parameter(torch.empty(E, 8, 6))
at = torch.argmax(x, dim=-1)
z = torch.einsum("tdc,td->tc", code[at], x)`);
  expect(graph.operators.map(({ entry }) => entry)).toContain("take");
  expect(diagnostics).toEqual([]);
});

test.each`
  form                                  | text                                                                                                                                | said
  ${"what one round made, read behind"} | ${"for e in range(E):\n    slot, token = torch.where(mask[e])\n    h = experts[e](x[token])\nz = h + 1"}                            | ${"warning document/unknown-value"}
  ${"rounds that go through different"} | ${"other = nn.ModuleList([nn.Linear(8, 8 + i) for i in range(E)])\nfor e, f in enumerate(other):\n    h = f(x[choice[:, 0] == e])"} | ${"warning python/not-implemented-error"}
  ${"a condition on which expert"}      | ${"for e in range(E):\n    token, slot = torch.where(choice == e)\n    if e > 1:\n        y[token] += x[token]"}                    | ${"warning python/not-implemented-error"}
`("$form is said, and nothing is claimed", ({ text, said }) => {
  expect(readingOf(text).said).toContain(said);
});

test("a loop whose number picks no experts runs round by round", () => {
  const { said, experts } = readingOf(
    "for e in range(E):\n    y = y + x @ up[e].t() @ down[e].t()",
  );
  expect(said).toEqual([]);
  expect(experts.length).toBe(8);
});
