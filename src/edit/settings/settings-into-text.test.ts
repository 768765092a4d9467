import { expect, test } from "vitest";
import { compile } from "#compile";
import { listSteps } from "#core/program";
import { readDocument } from "#systems";
import type { ParallelSettings } from "#systems/settings";
import { settingsIntoText } from "./index.ts";

const plain: ParallelSettings = {
  ...{ tool: "a trainer", tensor: 1, sequence: false, pipeline: 1, context: 1, expert: 1 },
  notes: [],
};

/** A typical decoder block; `more` are further arguments of its products. */
const block = (more = ", bias=False") => `import torch
import torch.nn as nn
import torch.nn.functional as F

B, S, D = 8, 16, 32

class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k = nn.Linear(D, D${more}), nn.Linear(D, D${more})
        self.v, self.out = nn.Linear(D, D${more}), nn.Linear(D, D${more})

    def forward(self, x):
        q = self.q(x).view(B, S, 8, 4).transpose(1, 2)
        k = self.k(x).view(B, S, 8, 4).transpose(1, 2)
        v = self.v(x).view(B, S, 8, 4).transpose(1, 2)
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.out(y.transpose(1, 2).reshape(B, S, D))

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attn, self.up, self.down = Attention(), nn.Linear(D, 4 * D${more}), nn.Linear(4 * D, D${more})
        self.ln1, self.ln2 = nn.LayerNorm(D), nn.LayerNorm(D)

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.down(F.gelu(self.up(self.ln2(x))))

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(64, D)
        self.blocks = nn.ModuleList([Block() for _ in range(2)])
        self.norm, self.head = nn.LayerNorm(D), nn.Linear(D, 64, bias=False)

    def forward(self, ids):
        x = self.embed(ids)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))

mesh = Mesh(x=4)
ids = Tensor((B, S), "int64")
model = Model()
logits = model(ids)
`;

const trained = `loss = F.cross_entropy(logits.view(-1, 64), ids.view(-1))
train(loss, optimizer="adam")
`;

function applied(source: string, settings: Partial<ParallelSettings>) {
  const found = settingsIntoText(readDocument(source), { ...plain, ...settings });
  if (!found.ok) throw new Error(found.diagnostics[0]?.message);
  const compiled = compile(found.value.source);
  expect(compiled.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return { ...found.value, compiled };
}

/** Counts of forward collectives by kind and axes. */
function sends({ compiled }: ReturnType<typeof applied>): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { step } of listSteps(compiled.program)) {
    if (step.kind !== "collective" || step.phase !== "forward" || step.bytes === 0) continue;
    const name = `${step.collective} ${step.axes.join("*")}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

test("tensor parallelism sends one all-reduce behind the table and behind each pair of products", () => {
  const found = applied(block(), { tensor: 4, data: 2 });
  expect(found.source).toContain("mesh = Mesh(dp=2, tp=4)");
  expect(sends(found)).toEqual({ "all-reduce tp": 5 });
});

test("along the sequence each all-reduce is a reduce-scatter and an all-gather", () => {
  const found = applied(block(), { tensor: 4, data: 2, sequence: true });
  expect(sends(found)).toEqual({ "reduce-scatter tp": 5, "all-gather tp": 5 });
});

test("biases of layers that are cut by rows are added behind their sums", () => {
  const found = applied(block(""), { tensor: 4, data: 1 });
  expect(sends(found)).toEqual({ "all-reduce tp": 5 });
});

test("a batch that its devices do not divide stays whole, which is said", () => {
  const found = applied(block().replace("B, S, D = 8", "B, S, D = 1"), { tensor: 2, data: 4 });
  expect(found.compiled.diagnostics).toEqual([]);
  expect(sends(found)).toEqual({ "all-reduce tp": 5 });
  expect(found.notes).toEqual([
    {
      code: "settings/no-fit",
      severity: "warning",
      message:
        '"ids" has 1 row, which the 4 devices that share a batch do not divide: each has all of them; give the program a larger batch',
    },
  ]);
});

test("degrees that are not said are filled by the devices that are there", () => {
  expect(applied(block(), { tensor: 2 }).axes).toEqual([
    { name: "dp", size: 2 },
    { name: "tp", size: 2 },
  ]);
  expect(applied(block(), { devices: 16 }).axes).toEqual([{ name: "dp", size: 16 }]);
});

test("a step is told what is split, how often it runs, and what it computes again", () => {
  const { source } = applied(block() + trained, {
    ...{
      data: 2,
      zero: 2,
      globalBatch: 8,
      localBatch: 1,
      recompute: "full",
      precision: "megatron",
    },
  });
  expect(source).toContain(
    'train(loss, optimizer="adam", zero=2, microbatches=4, recompute="full", precision="megatron")',
  );
});

test("said again, the words of a step are changed where they stand", () => {
  const first = applied(block() + trained, { data: 2, zero: 2 }).source;
  const again = applied(first, { data: 4, zero: 3, tensor: 2 }).source;
  expect(again).toContain('train(loss, optimizer="adam", zero=3)');
  expect(again).toContain("mesh = Mesh(dp=4, tp=2)");
});

test.each<[Partial<ParallelSettings>, string]>([
  [{ devices: 6, tensor: 4 }, "6 devices are no multiple of 4"],
  [{ devices: 8, tensor: 4, data: 4 }, "4 × 4 devices are not 8"],
  [{ data: 4, expert: 3 }, "3 devices that share experts do not divide the 4 that share a batch"],
])("degrees that do not go together are refused: %o", (settings, message) => {
  const found = settingsIntoText(readDocument(block()), { ...plain, ...settings });
  expect(found.diagnostics).toEqual([{ code: "settings/no-fit", severity: "error", message }]);
});

test("pipelines, contexts, ZeRO without a step, and weights that cannot be cut so are said", () => {
  const odd = block()
    .replace("Embedding(64", "Embedding(66")
    .replace("D, 64", "D, 66")
    .replace("self.v, self.out", "self.w, self.v, self.out")
    .replace(
      "= nn.Linear(D, D, bias=False), nn.Linear(D, D, bias=False)\n\n",
      "= nn.Linear(D, 2 * D, bias=False), nn.Linear(D, D, bias=False), nn.Linear(D, D, bias=False)\n\n",
    )
    .replace("v = self.v(x)", "a, b = self.w(x).chunk(2, dim=-1)\n        v = self.v(x + a)");
  const { notes } = applied(odd, { tensor: 4, data: 1, pipeline: 2, context: 2, zero: 1 });
  expect(notes.map(({ message }) => message)).toEqual([
    "not modelled: pipeline parallelism of 2; the mesh is the devices of one stage, and the whole model lies on it",
    "not modelled: context parallelism of 2; the mesh is the devices of one part of a sequence, and the whole model lies on it",
    "blocks[*].attn.w.weight holds several matrices one behind the other: cut by columns they are sent around where they are split up; the tool keeps the parts of each device together",
    "embed.weight, head.weight stay whole: the devices do not divide the rows, which the tool fills up",
    "the program is no step of training: nothing is split by ZeRO 1",
  ]);
});
