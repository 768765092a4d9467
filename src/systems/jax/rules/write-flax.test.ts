import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "#compile";
import { writeCode } from "../../code.testing.ts";

function fileOf(program: string): string {
  const code = writeCode(compile(program), "flax-rules");
  return code.ok ? code.files[0].text : `refused: ${code.reason}`;
}

const net = `import torch.nn as nn
mesh = Mesh(dp=2, tp=4)
class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(16)
        self.up = nn.Linear(16, 32)
        self.down = nn.Linear(32, 16)
    def forward(self, x):
        return x + self.down(self.up(self.norm(x)).relu())
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Embedding(64, 16)
        self.layers = nn.ModuleList(Layer() for _ in range(3))
        self.head = nn.Linear(16, 64, bias=False)
    def forward(self, ids):
        x = self.tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.head(x)
ids = Tensor((8, 12), "i32")
y = Net()(ids)
place(ids, layout("dp", None))
`;
const tensor = `place("layers[*].up.weight", layout("tp", None))
place("layers[*].down.weight", layout(None, "tp"))
`;

type Said = null | string | readonly Said[];

/** Parses Python tuples as lists. */
function listOf(text: string): Said {
  const lists = text.replace(/^P/u, "").replaceAll("None", "null");
  return JSON.parse(
    lists
      .replaceAll("(", "[")
      .replaceAll(")", "]")
      .replace(/,\s*\]/gu, "]"),
  );
}

/** Rows of a table in the file: key and value. */
function table(text: string, name: string): readonly (readonly [string, Said])[] {
  const body = text.split(`${name} = `)[1]?.split(/^[)}]/mu)[0] ?? "";
  const rows = [...body.matchAll(/^ {4}(?:\(r?"([^"]*)", (.*)\)|"([^"]*)": (.*)),$/gmu)];
  return rows.map(([, a, said, b, other]) => [a ?? b ?? "", listOf(said ?? other ?? "")]);
}

const listIn = (said: Said): readonly Said[] =>
  said === null ? [] : typeof said === "string" ? [said] : said;

/** Flax's resolution of names: rules in order, each to axes that the tensor does not have yet. */
function resolved(names: readonly Said[], rules: ReturnType<typeof table>) {
  const said = names.filter((name) => name !== null);
  if (new Set(said).size < said.length) throw new Error(`one name twice: ${said}`);
  const dims = names.map((): readonly Said[] => []);
  const done = new Set<number>();
  for (const [name, right] of rules) {
    const [at, axes] = [names.indexOf(name), listIn(right)];
    if (at < 0 || done.has(at) || dims.flat().some((axis) => axes.includes(axis))) continue;
    dims[at] = axes;
    done.add(at);
  }
  return dims;
}

/** Dims as text, without trailing whole dims, which a PartitionSpec leaves out. */
const trimmed = (dims: readonly (readonly Said[])[]) => dims.map(String).join(" ").trimEnd();

/** Cuts by key, resolved from the names in a file. */
function cutsBy(text: string): ReadonlyMap<string, string> {
  const rules = table(text, "RULES");
  const both = [...table(text, "PARAMETERS"), ...table(text, "ACTIVATIONS")];
  return new Map(both.map(([left, names]) => [left, trimmed(resolved(listIn(names), rules))]));
}

/** Specs in a file, by key. */
function saidBy(text: string): ReadonlyMap<string, string> {
  const both = [...table(text, "RULES"), ...table(text, "ACTIVATIONS")];
  return new Map(both.map(([left, spec]) => [left, trimmed(listIn(spec).map(listIn))]));
}

interface Case {
  readonly name: string;
  readonly model: string;
  readonly plan: string;
}

const cases: readonly Case[] = JSON.parse(readFileSync("engines/models/plans.json", "utf8"));
const names = [
  ...["gpt-tensor-hybrid", "gpt-sequence-zero3", "gpt-fused-heads", "gpt-tied"],
  ...[
    "llama-sequence-zero3",
    "mlp-two-axes",
    "bert-tensor-zero3",
    "vit-tensor-zero3",
    "moe-experts",
  ],
];
const programs = [
  { name: "layers by columns and rows", program: net + tensor },
  { name: "parameters over dp", program: `${net}${tensor}train(y.mean(), zero=3)\n` },
  ...cases
    .filter(({ name }) => names.includes(name))
    .map(({ name, model, plan }) => ({
      name,
      program: readFileSync(`engines/models/${model}.py`, "utf8") + plan,
    })),
];

test.each(programs)("the names of $name come to its layouts", ({ program }) => {
  const compiled = compile(program);
  const [names, specs] = ["flax-rules", "jax-rules"].map((target) => writeCode(compiled, target));
  expect(names?.ok).toBe(specs?.ok);
  if (names?.ok !== true || specs?.ok !== true) return;
  const [have, want] = [cutsBy(names.files[0].text), saidBy(specs.files[0].text)];
  expect(want.size).toBeGreaterThan(0);
  expect(new Map([...have].filter(([left]) => want.has(left)))).toEqual(want);
});

test("dims that a residual adds up have one name, and layers that of their rows", () => {
  const text = fileOf(net + tensor);
  expect(table(text, "RULES")).toEqual([
    ["vocab", null],
    ["embed", null],
    ["up", "tp"],
    ["head", null],
    ["activation_batch", "dp"],
    ["activation_length", null],
    ["activation_embed", null],
  ]);
  const said = new Map(table(text, "PARAMETERS"));
  expect(said.get(String.raw`layers[._]\d+\.up\.kernel`)).toEqual(["embed", "up"]);
  expect(said.get(String.raw`layers[._]\d+\.down\.weight`)).toEqual(["embed", "up"]);
  expect(said.get(String.raw`tokens\.embedding`)).toEqual(["vocab", "embed"]);
  expect(said.get(String.raw`layers[._]\d+\.norm\.scale`)).toEqual(["embed"]);
});

test("where one name would need two axes, it is said, and each has a name of its own", () => {
  const text = fileOf(`${net}${tensor}place("head.weight", layout(None, "dp"))
place("layers[*].norm.weight", layout("tp"))
`);
  const names = table(text, "RULES").filter(([name]) => name.startsWith("embed"));
  expect(names.map(([, axis]) => axis).toSorted()).toEqual(["dp", "tp"]);
  expect(text).toContain("One name cannot say how the dim embed lies: whole in tokens.weight");
});

test("a square weight does not have one name twice", () => {
  const program = `import torch.nn as nn
mesh = Mesh(d=2)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.own = nn.Linear(16, 16, bias=False)
    def forward(self, x):
        return x + self.own(x)
x = Tensor((8, 16))
y = Net()(x)
place("own.weight", layout("d", None))
`;
  expect(table(fileOf(program), "PARAMETERS")[0]?.[1]).toEqual(["own", null]);
});

test("a plan without rules is refused with its cause", () => {
  const program =
    'mesh = Mesh(d=4)\nx = Tensor((6, 4))\nw = Parameter((6, 4))\ny = x * w\nplace(w, layout("d", None))\n';
  expect(fileOf(program)).toContain("is cut unevenly");
});
