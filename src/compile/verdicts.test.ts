import { expect, test } from "vitest";
import { compile } from "./compile.ts";

const head = `import torch, torch.nn.functional as F
mesh = Mesh(tp=4)
x = Tensor((8, 64))
t = Tensor((8,), "int64")
`;

/** Verdicts of other systems on a program's operators. */
function said(source: string): readonly string[] {
  const { verdicts = new Map() } = compile(source);
  return [...verdicts].flatMap(([operator, all]) =>
    all.map(({ text }: { readonly text: string }) => `${operator}: ${text}`),
  );
}

test.each`
  lines                                                        | verdicts
  ${'y = torch.relu(x)\nstrategy(y, a="tp")'}                  | ${['y: nnScaler runs it whole on every device: it does not know "torch.relu".']}
  ${"y = torch.relu(x)"}                                       | ${[]}
  ${'y = F.relu(x)\nstrategy(y, a="tp")'}                      | ${[]}
  ${'y = F.softmax(x, dim=-1)\nstrategy(y, b="tp")'}           | ${['y: DTensor gathers "b" first.', 'y: MindSpore refuses the cut of "b": Softmax runs over it.', 'y: nnScaler gathers "b": its annotation keeps that whole ("b^").']}
  ${'y = x.mean()\nstrategy(y, a="tp")'}                       | ${['y: nnScaler gathers "a": its annotation keeps that whole ("a^").']}
  ${'y = F.cross_entropy(x, t)\nstrategy(y, b="tp")'}          | ${['y: DTensor gathers "b", unless it runs under loss_parallel().', 'y: nnScaler gathers "b": its annotation keeps that whole ("b^").']}
  ${'import nnscaler\ny = torch.relu(x)\nstrategy(y, a="tp")'} | ${[]}
`("of $lines other systems say $verdicts", ({ lines, verdicts }) => {
  expect(said(`${head}${lines}\n`)).toEqual(verdicts);
});

test("MindSpore takes RmsNorm cut over what it normalises, and adds the squares up", () => {
  const lines = 'y = F.rms_norm(x, (64,), Parameter((64,)))\nstrategy(y, b="tp")\n';
  const verdicts = said(head + lines);
  expect(verdicts.length).toBeGreaterThan(0);
  expect(verdicts.filter((text) => text.includes("MindSpore"))).toEqual([]);
});

test("asked as nnScaler, a text follows nnScaler's rules", () => {
  const source = `${head}place(x, layout("tp", "None"))\ny = torch.relu(x)\n`;
  const collectives = (as?: string) =>
    compile(source, as === undefined ? {} : { as }).cost.collectives.map((each) => each.collective);
  expect(collectives()).toEqual([]);
  expect(collectives("nnscaler")).toEqual(["all-gather"]);
});
