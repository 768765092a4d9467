import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { examples } from "#app/examples";
import { compile } from "#compile";
import { plainModel } from "#core/cost";
import { printLayout } from "#core/mesh";
import { isCutAs } from "#core/plan";
import type { Document } from "#language/document";
import { optimize } from "#planner";
import { readDocument } from "#systems";
import { type PlanInText, planIntoText } from "./plan-into-text.ts";
import { planQuestion } from "./plan-question.ts";

const programs = examples.filter(({ program }) => !program.trimStart().startsWith("{"));

function planned(document: Document, memoryLimit?: number) {
  const { hardware, plan, ...question } = planQuestion(document, { freesPlaces: true });
  const request = { ...question, hardware, model: plainModel(hardware), ends: new Map() };
  const outcome = optimize({ ...request, ...(memoryLimit !== undefined && { memoryLimit }) });
  if (!outcome.ok) throw new Error(outcome.diagnostic.message);
  const { strategies, layouts } = outcome.value;
  return { strategies, ...layouts };
}

/** Writes the cheapest plan of a text into it, and compares the new text's plan with it. */
function written(program: string): Extract<PlanInText, { ok: true }> {
  const document = readDocument(program);
  const wanted = planned(document);
  const text = planIntoText(document, wanted);
  if (!text.ok) throw new Error(text.diagnostic.message);
  const { plan, graph } = compile(text.source);
  for (const [id, strategy] of wanted.strategies) {
    const own = plan.operators.get(id);
    expect(own && isCutAs(own, strategy, document.mesh.mesh), `strategy of ${id}`).toBe(true);
  }
  const read = new Set(graph.operators.flatMap(({ inputs }) => inputs.map((each) => each.tensor)));
  for (const [id, layout] of wanted.rest) {
    const own = plan.placements.get(id)?.layout;
    if (read.has(id)) expect(own && printLayout(own), `layout of ${id}`).toBe(printLayout(layout));
  }
  return text;
}

test.each(programs.map(({ name, program }) => [name, program] as const))(
  "the plan of %s, written into its text, is the plan of the text",
  (_, program) => {
    const { source } = written(program);
    expect(written(source).source).toBe(source);
  },
);

describe("what is written", () => {
  const head = `mesh = Mesh(dp=2, tp=4)  # eight devices
x = Tensor((64, 1024), "bf16")
w1 = Parameter((1024, 4096), "bf16")
w2 = Parameter((4096, 1024), "bf16")
h = matmul(x, w1)
y = matmul(h, w2)
`;

  test("a call that says the plan stays as it is written, with its comment", () => {
    const { source } = written(head);
    const spaced = source.replace("strategy(h, ", "strategy( h,  ");
    expect(written(`${spaced}# the end\n`).source).toBe(`${spaced}# the end\n`);
  });

  test("a call that says something else is changed in place, or goes and leaves its comment", () => {
    const { source } = written(`${head}strategy(h, k="dp")  # mine\nstrategy(y)  # too\n`);
    expect(source).toContain("# mine");
    expect(source).toContain("# too");
    expect(source).not.toContain('k="dp"');
    expect(source.startsWith(head)).toBe(true);
  });

  test("a block that would be empty keeps a pass", () => {
    const { source } = written(`${head}for t in [h, y]:\n    strategy(t)\nz = add(y, y)\n`);
    expect(source).toContain("for t in [h, y]:\n    pass\n");
  });

  test("what is pinned stays, and with it how an operator is split that nobody cut", () => {
    const { source } = written(`${head}strategy(h, k="dp")\npin(h)\npin("w*")\n`);
    expect(source).toContain('\nstrategy(h, k="dp")\n');
    expect(source).toContain("w2, layout(");
    expect(compile(`${head}pin("nothing")\n`).diagnostics).toMatchObject([
      { code: "document/nothing-to-pin", severity: "warning" },
    ]);
  });
});

/** Chains of products, sums and functions, with some plan statements in between. */
const chains = fc.record({
  axes: fc.constantFrom("a=2", "a=4", "a=2, b=2", "a=2, b=4"),
  steps: fc.array(fc.record({ kind: fc.nat(4), from: fc.nat(6), cut: fc.nat(5) }), {
    minLength: 1,
    maxLength: 7,
  }),
  isTrained: fc.boolean(),
});

function chainText({
  axes,
  steps,
  isTrained,
}: typeof chains extends fc.Arbitrary<infer T> ? T : never) {
  const lines = [`mesh = Mesh(${axes}, hardware="8xH100")`, 'h0 = Tensor((32, 64), "bf16")'];
  for (const [at, { kind, from, cut }] of steps.entries()) {
    const [one, other] = [`h${at}`, `h${from % (at + 1)}`];
    if (kind === 0) lines.push(`w${at} = Parameter((64, 64), "bf16")`);
    const calls = [`matmul(${one}, w${at})`, `add(${one}, ${other})`, `relu(${one})`];
    lines.push(`h${at + 1} = ${calls[kind] ?? `softmax(${one})`}`);
    if (cut === 0) lines.push(`strategy(h${at + 1})`);
    if (cut === 1 && kind === 0) lines.push(`place(w${at}, layout("a", "None"))`);
    if (cut === 2) lines.push(`strategy("h*")`);
    if (cut === 3) lines.push(`place(h${at + 1}, layout("None", "a"))`);
  }
  return `${lines.join("\n")}\n${isTrained ? `train(h${steps.length})\n` : ""}`;
}

test("random programs, with calls that say something else: the text then has the plan", () => {
  fc.assert(
    fc.property(chains, (chain) => {
      written(chainText(chain));
    }),
    { numRuns: process.env.SOAK ? 600 : 25, seed: 11 },
  );
});

test("96 equal layers take at most 25 lines", () => {
  const layer = `
    n = layer_norm(x, self.g)
    q = matmul(n, self.q)
    o = matmul(q, self.o)
    r = add(x, o)
    m = layer_norm(r, self.g2)
    h = matmul(m, self.up)
    a = gelu(h)
    d = matmul(a, self.down)
    z = add(r, d)
    return z`;
  const program = `from torch import nn
mesh = Mesh(dp=4, tp=8, hardware="4x8xH100")
class Layer(nn.Module):
  def __init__(self):
    super().__init__()
    self.g = Parameter((12288,), "bf16")
    self.g2 = Parameter((12288,), "bf16")
    self.q = Parameter((12288, 12288), "bf16")
    self.o = Parameter((12288, 12288), "bf16")
    self.up = Parameter((12288, 49152), "bf16")
    self.down = Parameter((49152, 12288), "bf16")
  def forward(self, x):${layer}
class Model(nn.Module):
  def __init__(self):
    super().__init__()
    self.layers = nn.ModuleList([Layer() for _ in range(96)])
  def forward(self, x):
    for layer in self.layers:
      x = layer(x)
    return x
y = Model()(Tensor((2048, 12288), "bf16"))
train(y)
`;
  const { source } = written(program);
  expect(source.startsWith(program)).toBe(true);
  expect(source.slice(program.length).split("\n").length).toBeLessThan(26);
});

test("a plan that cuts by pieces on one device has no words", () => {
  const document = readDocument("mesh = Mesh(dp=2)\nx = Tensor((8, 4))\ny = relu(x)\n");
  const [operator] = document.graph.operators;
  if (operator === undefined) throw new Error("no operator");
  const [axis] = operator.axes;
  const cuts = { [axis?.name ?? ""]: [{ kind: "pieces", count: 2 } as const] };
  const strategies = new Map([[operator.id, { cuts, carry: [] }]]);
  const text = planIntoText(document, { strategies, rest: new Map(), ends: new Map() });
  expect(text).toMatchObject({ ok: false, diagnostic: { code: "planner/no-words" } });
});
