import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "#compile";
import { valueBytes } from "#core/cost";
import type { SpmdProgram } from "#core/program";
import { holdingsOf } from "../../../core/cost/holdings.ts";

type Given = readonly number[] | { readonly dtype: string; readonly shape: readonly number[] };

interface Row {
  readonly call: string;
  readonly inputs: Readonly<Record<string, Given>>;
  readonly keeps: readonly string[];
  readonly bytes: readonly number[];
}

const table: { readonly calls: readonly Row[] } = JSON.parse(
  readFileSync("src/systems/torch/library/kept-for-backward.json", "utf8"),
);

/** Where the GPU keeps something else than the CPU, or we know less than PyTorch: and why. */
const gpu = "the CPU's kernel keeps what a fused one on the GPU does not";
const parts = "it is read as several operators, where PyTorch has one, or other ones";
const loss = "one operator here, several small ones there";
const otherwise: Readonly<
  Record<string, { readonly keeps: string; readonly because: string } | undefined>
> = {
  "F.logsigmoid(x)": { keeps: "x", because: gpu },
  "F.dropout(x, 0.5)": { keeps: "385", because: gpu },
  "F.rms_norm(x, (11,), w)": { keeps: "140 w x", because: gpu },
  "x.max(-1)[0]": { keeps: "x y", because: parts },
  "F.glu(x)": { keeps: "840 x", because: parts },
  "F.cosine_similarity(m, z)": { keeps: "28 28 28 28 28 28 m z", because: parts },
  "F.hinge_embedding_loss(x, t)": { keeps: "x", because: loss },
  "F.gaussian_nll_loss(x, t, v)": { keeps: "v x", because: loss },
  "F.margin_ranking_loss(x, z, t)": { keeps: "x z", because: loss },
  "F.multilabel_soft_margin_loss(m, t)": { keeps: "m", because: loss },
  "F.cosine_embedding_loss(m, z, t)": { keeps: "m z", because: loss },
  "F.triplet_margin_loss(m, z, u)": { keeps: "m u z", because: loss },
};

function textOf({ call, inputs }: Row): string {
  const given = Object.entries(inputs);
  const lines = given.map(([name, about]) => {
    if (!("dtype" in about))
      return `${name}0 = Parameter((${about.join(", ")},))\n${name} = ${name}0.clone()`;
    const dtype = about.dtype === "int64" ? "int64" : "f32";
    return `${name} = Tensor((${about.shape.join(", ")},), "${dtype}")`;
  });
  return [
    "import torch",
    "import torch.nn.functional as F",
    ...lines,
    `y = ${call}`,
    "loss = y.float().sum()",
    'train(loss, optimizer="sgd")',
  ].join("\n");
}

/** What lies there between the passes beside what lasts: by name, else by its bytes. */
function keptBetween(program: SpmdProgram): readonly string[] {
  const bytes = valueBytes(program);
  const { all, of, steps } = holdingsOf(program, bytes);
  const next = steps.findIndex(({ phase }) => phase !== "forward");
  const values = new Map(program.values.map((value) => [value.id, value]));
  const tensors = new Map(program.graph.tensors.map((tensor) => [tensor.id, tensor]));
  const results = program.values.filter(({ tensor }) => tensors.get(tensor)?.name === "y");
  const made = new Set(results.map(({ id }) => of.get(id)));
  return all.flatMap((holding): readonly string[] => {
    const { value, what, first, last } = holding;
    const { role, tensor = undefined } = values.get(value) ?? {};
    if (role !== "activation" || first >= next || last < next || holding.bytes < 16) return [];
    if (what !== undefined) return [`${holding.bytes}`];
    if (made.has(holding)) return ["y"];
    const { name = "" } = (tensor && tensors.get(tensor)) ?? {};
    return [name.length === 1 ? name : `${holding.bytes}`];
  });
}

const words = (all: readonly string[]) => [...all].sort().join(" ");

test.each(table.calls)("$call keeps what PyTorch keeps", (row) => {
  const { program, diagnostics } = compile(textOf(row));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const given = Object.entries(row.inputs);
  const lasting = new Set(given.flatMap(([name, about]) => ("dtype" in about ? [name] : [])));
  const wanted = [...row.keeps.filter((name) => !lasting.has(name)), ...row.bytes.map(String)];
  expect(words(keptBetween(program))).toBe(otherwise[row.call]?.keeps ?? words(wanted));
});
