import { expect, test } from "vitest";
import { flatSteps } from "#core/program";
import { compile } from "./compile.ts";

const head = `import torch, torch.nn.functional as F
mesh = Mesh(t=4)
x = Tensor((8, 16))
w = Parameter((16, 24))
b = Parameter((24,))
`;

/** The communicating steps of a program, each as `kind tensor phase`. */
function sent(lines: string): readonly string[] {
  const { program } = compile(`${head}${lines}\n`);
  const names = new Map(program.values.map(({ id, tensor }) => [id, tensor]));
  return flatSteps(program).flatMap((step) =>
    step.kind === "collective" && step.collective !== "slice"
      ? [`${step.collective} ${names.get(step.input)} ${step.phase}`]
      : [],
  );
}

const cutRows = 'place(x, layout("t", "None"))\n';
const cutColumns = 'place(x, layout("None", "t"))\n';

test.each`
  lines                                                           | steps
  ${`${cutRows}y = x.mean()`}                                     | ${["all-reduce y forward"]}
  ${`${cutRows}y = x.sum(0)`}                                     | ${["all-reduce y forward"]}
  ${`${cutRows}y = x.amax(0)`}                                    | ${["all-reduce y forward"]}
  ${`${cutRows}y = F.softmax(x, dim=-1)`}                         | ${[]}
  ${`${cutRows}y = torch.sort(x, dim=-1)[0]`}                     | ${[]}
  ${`${cutColumns}y = torch.cumsum(x, dim=-1)`}                   | ${["all-gather x forward"]}
  ${'y = F.softmax(x, dim=-1)\nstrategy(y, b="t")'}               | ${["all-reduce y.top forward", "all-reduce y.total forward"]}
  ${'y = F.layer_norm(x, (16,))\nstrategy(y, b="t")'}             | ${["all-reduce y.mean forward", "all-reduce y.variance forward"]}
  ${'y = torch.logsumexp(x, dim=-1)\nstrategy(y, b="t")'}         | ${["all-reduce y.top forward", "all-reduce y.total forward"]}
  ${'y = torch.var(x, dim=-1)\nstrategy(y, b="t")'}               | ${["all-reduce y.mean forward", "all-reduce y forward"]}
  ${'y = torch.addmm(b, x, w)\nstrategy(y, k="t")'}               | ${["all-reduce y.product forward"]}
  ${'y = F.softmax(x @ w, dim=-1)\nstrategy(y, b="t")\ntrain(y)'} | ${["all-reduce y.top forward", "all-reduce y.total forward", "all-reduce matmul_1.grad.sum backward", "all-gather matmul_1.grad backward"]}
`("$lines sends $steps", ({ lines, steps }) => {
  expect(sent(lines)).toEqual(steps);
});

const loss = `t = Tensor((8,), "int64")
y = x @ w
loss = F.cross_entropy(y, t)
strategy(y, n="t")
`;

test("a loss over cut classes is three numbers per row; its backward pass sends none", () => {
  expect(sent(`${loss}train(loss)`)).toEqual([
    "all-reduce loss.top forward",
    "all-reduce loss.total forward",
    "all-reduce loss.chosen forward",
  ]);
});

test("a softmax that is computed again combines its sums again", () => {
  const again = sent(
    'y = F.softmax(x @ w, dim=-1)\nz = torch.tanh(y)\nstrategy(y, b="t")\nstrategy(z, b="t")\ntrain(z, recompute=[y])',
  );
  expect(again.filter((step) => step.includes(".top"))).toEqual([
    "all-reduce y.top forward",
    "all-reduce y.again.top recompute",
  ]);
});

test.each`
  gathered                   | cheaper
  ${"x = Tensor((8, 2))"}    | ${"all-gather"}
  ${"x = Tensor((8, 2048))"} | ${"all-reduce"}
`("of a softmax along a cut dim the $cheaper is chosen for $gathered", ({ gathered, cheaper }) => {
  const { cost } = compile(
    `mesh = Mesh(t=2)\n${gathered}\nplace(x, layout("None", "t"))\ny = softmax(x, dim=-1)\n`,
  );
  expect([...new Set(cost.collectives.map(({ collective }) => collective))]).toEqual([cheaper]);
});

test("a partial sum is not carried through what combines inside", () => {
  const text = `${head}y = F.linear(x, torch.transpose(w, 0, 1), b)\nstrategy(y, k="t", carry="t")\n`;
  expect(compile(text).diagnostics.map(({ code }) => code)).toContain("plan/cannot-carry");
});

test("micro-batches do not cut rows over which an operator combines inside", () => {
  const text = `${head}y = torch.var(x, dim=0) @ w\ntrain(y, microbatches=2)\n`;
  expect(compile(text).diagnostics.map(({ code }) => code)).toContain("training/one-batch");
});
