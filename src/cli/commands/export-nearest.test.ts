import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { answerTo } from "../commands.ts";

interface Case {
  readonly name: string;
  readonly model: string;
  readonly plan: string;
}

const cases: readonly Case[] = JSON.parse(readFileSync("engines/models/plans.json", "utf8"));

function programOf(name: string): string {
  const found = cases.find((each) => each.name === name);
  return `${readFileSync(`engines/models/${found?.model}.py`, "utf8")}${found?.plan}`;
}

function exported(program: string, more: Readonly<Record<string, unknown>> = {}) {
  const answer = answerTo("export", { program, to: "parallelize", ...more });
  return JSON.parse(JSON.stringify(answer));
}

function secondsOf(program: string): number {
  return JSON.parse(JSON.stringify(answerTo("plan", { program }))).cost.seconds;
}

const refusal = "tok.weight is cut over dp and tp: parallelize_module takes one axis";

test("a plan without words is refused, and the answer says how another one is written", () => {
  const { ok, diagnostics } = exported(programOf("gpt-loss-table-on-two-axes"));
  expect(ok).toBe(false);
  expect(diagnostics.at(-1)).toMatchObject({ code: "export/not-written" });
  expect(diagnostics.at(-1).message).toBe(
    `the plan cannot be written for PyTorch modules: ${refusal}; with "nearest" the fastest plan is written that can be`,
  );
});

test.each(["gpt-loss-table-on-two-axes", "gpt-loss-table-on-two-other-axes"])(
  "the nearest plan of %s is written with what it costs, and is the plan of the program beside it",
  (name) => {
    const program = programOf(name);
    const answer = exported(program, { nearest: true });
    expect(answer.ok).toBe(true);
    const said = answer.diagnostics.find(
      ({ code }: { readonly code: string }) => code === "export/otherwise",
    );
    const [file] = answer.files;
    expect(file.text).toContain(said.message);
    expect(said.message).toContain(`The plan has no words there: ${refusal}.`);
    const part = secondsOf(answer.program) / secondsOf(program) - 1;
    expect(part).not.toBe(0);
    const percent = Math.abs(part * 100).toPrecision(2);
    expect(said.message).toContain(`it is ${percent} % ${part > 0 ? "slower" : "faster"}`);
    const own = exported(answer.program);
    expect(own.ok).toBe(true);
    expect(file.text.replace(`${said.message}\n`, "")).toBe(own.files[0].text);
    expect(answer.claims).toEqual(own.claims);
  },
);

test("where no module may be cut as it was asked, the axis cuts others or shares out the batch", () => {
  const { ok, claims } = exported(programOf("gpt-heads-as-numbers"), { nearest: true });
  expect(ok).toBe(true);
  expect(Object.keys(claims.cut).filter((name) => name.includes(".attn."))).toEqual([]);
});

test("a plan that has words is written as it is", () => {
  const program = programOf("gpt-tensor-zero3");
  expect(exported(program, { nearest: true })).toEqual(exported(program));
});

test("a batch that no axis cuts evenly has no other plan, and that is said", () => {
  const program = programOf("mlp-two-axes").replaceAll("Tensor((16,", "Tensor((7,");
  const { ok, diagnostics } = exported(program, { nearest: true });
  expect(ok).toBe(false);
  expect(diagnostics.at(-1).message).toContain("; no other plan was found that can");
});

/** A model whose class makes word kinds for its rows, and reads a size from them. */
const kinds = `import torch
import torch.nn as nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(64, 64)
        self.kinds = nn.Embedding(2, 64)
        self.places = nn.Embedding(16, 64)
        self.norm = nn.LayerNorm(64)
        self.up = nn.Linear(64, 256)
        self.down = nn.Linear(256, 64)
        self.head = nn.Linear(64, 64)
        self.register_buffer("kind", torch.zeros((1, 16), dtype=torch.long))

    def forward(self, ids):
        x = self.words(ids) + self.kinds(self.kind.expand(ids.shape[0], -1))
        x = x + self.places(torch.arange(x.shape[1]))
        return self.head(self.down(F.gelu(self.up(self.norm(x)))))

mesh = Mesh(dp=2, tp=4)
model = Net()
ids = Tensor((8, 16), "int64")
labels = Tensor((8, 16), "int64")
logits = model(ids)
loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
train(loss)
strategy("words", k=("tp", "dp"))
`;

test("what a class makes for its rows is shared out with them", () => {
  const { ok, claims } = exported(kinds, { nearest: true });
  expect(ok).toBe(true);
  expect(claims.dataAxes.length).toBeGreaterThan(0);
});
