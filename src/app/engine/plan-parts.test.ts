import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { formatSeconds } from "#app/scene/text";
import { compile } from "#compile";
import { weighParts } from "./plan-parts.ts";
import type { PartsProgress, PartsResult, Planned } from "./plan-protocol.ts";
import { searchPlan } from "./plan-search.ts";

const model = `import torch.nn as nn
import torch.nn.functional as F
mesh = Mesh(dp=2, tp=4, hardware="8xH100")
class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(4096, 16384, bias=False), nn.Linear(16384, 4096, bias=False)
    def forward(self, x):
        return self.down(F.gelu(self.up(x)))
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln, self.mlp = nn.LayerNorm(4096), Mlp()
    def forward(self, x):
        return x + self.mlp(self.ln(x))
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(3))
        self.head = nn.Linear(4096, 32000, bias=False)
    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)
y = Net()(Tensor((2048, 4096)))
`;

function planned(source: string): Planned {
  const answer = searchPlan({ source }, () => {});
  if (answer.kind !== "planned") throw new Error(answer.kind);
  return answer;
}

function weighed(source: string, left: readonly string[] = []) {
  const { source: whole = "", ...found } = planned(source);
  const news: PartsProgress[] = [];
  const end: PartsResult = weighParts({ source, planned: whole, left }, (each) => news.push(each));
  const [parts, mixed, ...rest] = news;
  if (parts?.kind !== "parts" || mixed?.kind !== "mixed") throw new Error(JSON.stringify(end));
  const effects = rest.flatMap((each) => (each.kind === "effect" ? [each] : []));
  return { found, whole, ...parts, ...mixed, effects };
}

test("the whole plan is what was found, by module", () => {
  const { found, whole, mixed, parts } = weighed(model);
  expect(mixed).toMatchObject({ source: whole, gone: [] });
  expect(mixed.seconds).toBeCloseTo(found.seconds, 12);
  expect(mixed.bytes).toBe(found.bytes);
  expect(parts.map(({ key, count, words }) => [key, count, words])).toEqual([
    ["blocks[*]", 3, "ln a, + a over dp, tp"],
    ["blocks[*].mlp", 3, "up a, gelu a, down a over dp, tp"],
    ["head", 1, "a over dp, tp"],
  ]);
});

test("without a part the text says the rest, and the effects are those of compiled texts", () => {
  const [first] = weighed(model).parts;
  if (first === undefined) throw new Error("no part");
  const { mixed, effects } = weighed(model, [first.key]);
  const { cost, memory } = compile(mixed.source ?? "");
  expect(cost.seconds).toBeCloseTo(mixed.seconds, 12);
  expect(memory.peakBytes).toBe(mixed.bytes);
  const whole = compile(weighed(model).whole);
  const told = mixed.sentences.at(-1);
  expect(told?.[0]).toContain(`of ${formatSeconds(cost.seconds)}`);
  const own = effects.find(({ key }) => key === first.key);
  expect(own?.effect.seconds).toBeCloseTo(whole.cost.seconds - cost.seconds, 12);
});

test("lines of one's own that go are named, with what the plan has against them", () => {
  const slow = `mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((8192, 4096), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 4096), "bf16")
h = matmul(x, w1)
y = matmul(h, w2)
strategy(h, k="tp")
`;
  expect(weighed(slow).mixed.gone).toEqual([
    { line: 7, text: 'strategy(h, k="tp")', why: "the plan splits h otherwise" },
  ]);
});

const programs = examples.filter(({ program }) => !program.trimStart().startsWith("{"));

test.each(programs.map(({ name, program }) => [name, program] as const))(
  "%s: what the parts of the plan are weighed at is what the written texts take",
  (_, program) => {
    const answer = searchPlan({ source: program }, () => {});
    if (answer.kind !== "planned" || answer.source === undefined) return;
    const keys: string[] = [];
    const lefts = [[], ["first"], ["last"]] as const;
    for (const [which] of lefts) {
      const left = which === undefined ? [] : keys.slice(...(which === "first" ? [0, 1] : [-1]));
      weighParts({ source: program, planned: answer.source, left }, (news) => {
        if (news.kind === "parts") keys.splice(0, keys.length, ...news.parts.map(({ key }) => key));
        if (news.kind !== "mixed") return;
        const { source, seconds, bytes } = news.mixed;
        if (source === undefined) return;
        const { cost, memory } = compile(source);
        expect(seconds).toBeCloseTo(cost.seconds, 12);
        expect(bytes).toBe(memory.peakBytes);
      });
    }
  },
);
