import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { splitTexts } from "#language/texts";
import { answerTo } from "../commands.ts";
import { optimizeAnswer } from "./optimize.ts";

function textOf(name: string): string {
  const example = examples.find((each) => each.name === name);
  if (example === undefined) throw new Error(`no example ${name}`);
  return exampleText(example);
}

/** A LoomGraph with its plan, by example name. */
function loomOf(name: string): { readonly program: string; readonly planText: string } {
  const texts = splitTexts(textOf(name));
  if (texts === undefined) throw new Error(`no LoomGraph ${name}`);
  return { program: texts.json, planText: texts.plan };
}

const { program: windows, planText: windowsPlan } = loomOf("loom-convolution");

test.each(["loom-expression", "loom-split-k", "loom-broadcast-add"])(
  "the plan of %s is written into the plan beside it, and takes what is said",
  (name) => {
    const texts = loomOf(name);
    const answer = optimizeAnswer(texts);
    expect(answer).toMatchObject({ ok: true, model: "shardboard", gap: 0, program: texts.program });
    const { program, planText, objective } = answer;
    const planned = answerTo("plan", { program, planText });
    expect(planned).toMatchObject({
      ok: true,
      cost: { seconds: expect.closeTo(Number(objective), 12) },
    });
    const together = optimizeAnswer({ program: textOf(name) });
    expect(together).toMatchObject({ ok: true, objective, planText });
  },
);

const program = `mesh = Mesh(dp=2, hardware="8xH100")
x = Tensor((64, 32))
w = Parameter((32, 16))
y = matmul(x, w)
`;

test.each`
  args                                                                  | code                    | message
  ${{ pins: 5 }}                                                        | ${"cli/bad-request"}    | ${"gives"}
  ${{ pins: { z: {} } }}                                                | ${"pin-conflict"}       | ${'no operator "z"'}
  ${{ pins: { y: { m: null } } }}                                       | ${"cli/bad-request"}    | ${"lists of axes"}
  ${{ pins: { y: { m: ["tp"] } } }}                                     | ${"pin-conflict"}       | ${"no mesh axis"}
  ${{ pins: { y: { m: ["dp"], k: ["dp"] } } }}                          | ${"pin-conflict"}       | ${"pinned strategy"}
  ${{ outputs: { y: "dp" } }}                                           | ${"cli/bad-request"}    | ${"2 dims"}
  ${{ outputs: 5 }}                                                     | ${"cli/bad-request"}    | ${"gives"}
  ${{ model: "unheard" }}                                               | ${"cost/unknown-model"} | ${"no cost model"}
  ${{ memoryLimit: 10 }}                                                | ${"infeasible-memory"}  | ${"more"}
  ${{ forbid: ["all-gather"] }}                                         | ${"planner/unpriced"}   | ${"name a model"}
  ${{ hardware: { links: { dp: { latency: 1e308, bandwidth: 1 } } } }}  | ${"cli/bad-request"}    | ${"the latency of a link"}
  ${{ hardware: { links: { dp: { latency: 0, bandwidth: 1e-308 } } } }} | ${"cli/bad-request"}    | ${"the bandwidth of a link"}
  ${{ hardware: { flops: 1e-308, links: {} } }}                         | ${"cli/bad-request"}    | ${"flops"}
  ${{ program: windows, planText: windowsPlan }}                        | ${"planner/unpriced"}   | ${"windows may overlap"}
  ${{ program: windows, planText: 5 }}                                  | ${"cli/bad-request"}    | ${"planText"}
`("$args is refused with $code", ({ args, code, message }) => {
  const answer = optimizeAnswer({ program, ...args });
  expect(answer.ok).toBe(false);
  const [last] = answer.diagnostics.filter(({ severity }) => severity === "error");
  expect(last?.code).toBe(code);
  expect(last?.message).toContain(message);
});

test("a pin stays, and what is found says by which model it is proven", () => {
  const answer = optimizeAnswer({ program, pins: { y: { k: ["dp"] } } });
  expect(answer).toMatchObject({
    ok: true,
    model: "shardboard",
    gap: 0,
    strategies: { y: { k: ["dp"] } },
  });
  expect(String(answer.program)).toContain('strategy(y, k="dp")');
});

test.each`
  count | zero
  ${1}  | ${0}
  ${4}  | ${0}
  ${4}  | ${2}
  ${4}  | ${3}
`("a step of $count micro-batches with ZeRO $zero takes what its plan says", ({ count, zero }) => {
  const step = `mesh = Mesh(dp=2, tp=4, hardware="8xH100")
x = Tensor((64, 512, 1024), "bf16")
w1 = Parameter((1024, 4096), "bf16")
w2 = Parameter((4096, 1024), "bf16")
h = gelu(matmul(x, w1))
y = matmul(h, w2)
train(y, optimizer="adam", zero=${zero}, microbatches=${count}, overlap="none")
`;
  const answer = optimizeAnswer({ program: step });
  expect(answer).toMatchObject({ ok: true, gap: 0, diagnostics: [] });
  const planned = answerTo("plan", { program: answer.program });
  expect(planned).toMatchObject({
    ok: true,
    cost: { seconds: expect.closeTo(Number(answer.objective), 12) },
  });
});

test.each`
  count | model        | says
  ${1}  | ${"plain"}   | ${[]}
  ${4}  | ${undefined} | ${[]}
  ${4}  | ${"plain"}   | ${["planner/one-batch"]}
  ${4}  | ${"alpa"}    | ${["planner/one-batch"]}
`("$count micro-batches under the model $model: what is left out is said", (row) => {
  const step = `${program}train(y, microbatches=${row.count})\n`;
  const answer = optimizeAnswer({ program: step, model: row.model });
  expect(answer.ok).toBe(true);
  const codes = answer.diagnostics.map(({ code }) => code);
  expect(codes.filter((code) => code === "planner/one-batch")).toEqual(row.says);
});

test("a model that leaves micro-batches out counts the batch's rows once", () => {
  const memoryOf = (train: string) =>
    optimizeAnswer({ program: `${program}${train}\n`, model: "plain" })["memory"];
  expect(memoryOf("train(y, microbatches=4)")).toEqual(memoryOf("train(y)"));
});

test("a plan that has a name says it", () => {
  const answer = optimizeAnswer({
    program: `mesh = Mesh(tp=8, hardware="8xH100")
x = Tensor((64, 4096), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 4096), "bf16")
h = matmul(x, w1)
y = matmul(h, w2)
`,
    pins: { h: { n: ["tp"] } },
  });
  expect(answer).toMatchObject({ ok: true, pattern: "megatron" });
});

test("a result that the text places is placed in the plan that is measured", () => {
  const answer = optimizeAnswer({
    program: `mesh = Mesh(tp=8, hardware="8xH100")
x = Tensor((64, 4096), "bf16")
w1 = Parameter((4096, 16384), "bf16")
w2 = Parameter((16384, 4096), "bf16")
h = matmul(x, w1)
place(h, layout("None", "None"))
y = matmul(h, w2)
`,
  });
  expect(answer).toMatchObject({ ok: true, gap: 0 });
});
