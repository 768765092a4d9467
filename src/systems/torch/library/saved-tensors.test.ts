import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compile } from "#compile";

/** A small module with what PyTorch keeps between its passes, by `engines/record_saved_tensors.py`. */
interface Row {
  readonly lines: readonly string[];
  readonly dtype: "f32" | "bf16" | "autocast";
  readonly loss: string;
  /** Bytes of parameters, inputs, what autograd has saved and the loss, once each by storage. */
  readonly kept: number;
}

interface Table {
  readonly blocks: readonly { readonly name: string; readonly kept: number }[];
  readonly modules: readonly Row[];
}

const { blocks, modules }: Table = JSON.parse(
  readFileSync("src/systems/torch/library/saved-tensors.json", "utf8"),
);

/** The same text as the recorder writes. */
function moduleOf({ lines, dtype, loss }: Row): string {
  const isLow = dtype === "bf16";
  const call = `loss = ${loss}\n`;
  const context = `with torch.autocast("cuda", dtype=torch.bfloat16):\n    ${call}`;
  return `import torch
import torch.nn as nn
import torch.nn.functional as F
mesh = Mesh(p=1)
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one, self.two = nn.Linear(32, 32), nn.Linear(32, 32, bias=False)
        self.p = nn.Parameter(torch.ones(32))
        self.w = nn.Parameter(torch.ones(32, 32))
    def forward(self, x):
        p, w = self.p, self.w
        r = self.one(x)
        x = self.two(x)
${lines.map((line) => `        ${line}\n`).join("")}        return x
i = Tensor((4, 16, 32)${isLow ? ', "bfloat16"' : ""})
net = Net()${isLow ? ".to(torch.bfloat16)" : ""}
${dtype === "autocast" ? context : call}train(loss, optimizer="sgd")
`;
}

/** Why a program keeps other bytes here, by what stands in it. */
const others: readonly (readonly [RegExp, string])[] = [
  [/F\.(max|avg)_pool2d\(x, 2\)/, "of images without a batch it has no derivative, which is said"],
  [/F\.glu/, "read as a sigmoid and a product, which keep more than one kernel of its own"],
  [/nn\.BatchNorm2d/, "running statistics of a norm in training are no tensors of the graph"],
];

/** Numbers beside the tensors: a gradient of the loss that is given, a sum of weights. */
const slack = 16;

/** How far off a program is, beyond those. */
function missed(text: string, kept: number): number {
  const { afterForwardBytes, optimizerBytes } = compile(text).memory;
  const off = afterForwardBytes - optimizerBytes - kept;
  return Math.abs(off) <= slack ? 0 : off;
}

const reasonFor = (text: string) => others.find(([stands]) => stands.test(text))?.[1];

function check(text: string, kept: number) {
  const off = missed(text, kept);
  const reason = reasonFor(text);
  if (reason === undefined) expect(off).toBe(0);
  else expect(off, `it keeps that now, so that this is no reason any more: ${reason}`).not.toBe(0);
}

test.each(blocks)("between its passes, $name keeps what PyTorch does", ({ name, kept }) => {
  check(readFileSync(`engines/saved-tensors/${name}.py`, "utf8"), kept);
});

const byDtype = ["f32", "bf16", "autocast"] as const;

test.each(byDtype)("small modules keep what PyTorch does, as %s", (dtype) => {
  const wrong = modules
    .filter((row) => row.dtype === dtype)
    .map((row) => ({ row, text: moduleOf(row) }))
    .filter(({ text }) => reasonFor(text) === undefined)
    .flatMap(({ row, text }) => {
      const off = missed(text, row.kept);
      return off === 0 ? [] : [`${row.lines.join("; ")} (${row.loss}): ${off} bytes`];
    });
  expect(wrong).toEqual([]);
});

test("what keeps other bytes does so still, each for a reason that some row shows", () => {
  const texts = modules.map((row) => ({ text: moduleOf(row), kept: row.kept }));
  const unshown = others.slice(0, 2).filter(([stands]) => {
    const shown = texts.filter(({ text }) => stands.test(text));
    return !shown.some(({ text, kept }) => missed(text, kept) !== 0);
  });
  expect(unshown).toEqual([]);
});
