import { expect, test } from "vitest";
import { compile } from "#compile";
import { estimate, memoryOf } from "#core/cost";
import { fold, unroll } from "#core/program";
import { runCpu } from "#execute/cpu";
import { leafValues } from "#execute/reference";
import { answerTo, summaryTo } from "../commands.ts";
import { readable } from "../readable.ts";

/** 24 layers of an attention-free transformer, written as a loop. */
const layered = (rows: number, width: number, hidden: number, end = "") => `
mesh = Mesh(dp=2, mp=2)
x = Tensor((${rows}, ${width}))
for i in range(24):
    w1 = Parameter((${width}, ${hidden}))
    w2 = Parameter((${hidden}, ${width}))
    h = matmul(layer_norm(x, Parameter((${width},))), w1)
    y = matmul(gelu(h), w2)
    x = add(x, y)
    strategy(h, m="dp", n="mp")
    strategy(y, m="dp", k="mp")
${end}`;

const programs = {
  forward: layered(4, 4, 8),
  "training step": layered(4, 4, 8, 'train(x, optimizer="adam", zero=1)\n'),
};

test.each(Object.entries(programs))(
  "a %s of 24 layers in a loop folds, and says the same",
  (_, text) => {
    const { program, cost, memory, hardware, diagnostics } = compile(text);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const folded = fold(program);
    const counts = folded.stages.flatMap(({ steps }) =>
      steps.flatMap((step) => (step.kind === "repeat" && step.body.length > 4 ? [step.count] : [])),
    );
    expect(Math.min(...counts)).toBeGreaterThan(21);
    expect(unroll(folded)).toStrictEqual(program);
    expect(memoryOf(folded)).toEqual(memory);
    const short = estimate(folded, hardware, undefined, { overlap: "weights" });
    expect(short.bytes).toBe(cost.bytes);
    expect(Math.abs(short.seconds / cost.seconds - 1)).toBeLessThan(1e-12);
    const inputs = leafValues(program.graph, 1, "integers");
    const [got, wanted] = [folded, program].map((each) =>
      runCpu(each, inputs, { values: "integers" }),
    );
    for (const [id, blocks] of wanted ?? []) expect(got?.get(id), id).toEqual(blocks);
  },
);

test("the readable plan lists the steps of 24 equal layers once", () => {
  const args = { program: layered(512, 1024, 4096) };
  const steps = Object(summaryTo("plan", args).steps);
  const all = Object(answerTo("plan", args).steps);
  expect(steps.length).toBeLessThan(all.length / 8);
  const text = readable(summaryTo("plan", args), []);
  expect(text).toMatch(/×2[234]\s+operator/);
  const runs = steps.reduce((sum: number, { times }: { times?: string }) => {
    return times?.startsWith("×") ? sum + Number(times.slice(1)) : sum;
  }, 0);
  expect(runs).toBeGreaterThan(21);
});

test("what a machine reads lists every step, also of one layer among others", () => {
  const steps = Object(answerTo("plan", { program: programs.forward }).steps);
  const operators = steps.filter((step: { collective: string }) => step.collective === "operator");
  expect(operators).toHaveLength(24 * 5);
  expect(steps.every((step: object) => !("times" in step))).toBe(true);
});
