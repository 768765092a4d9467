import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { examples } from "#app/examples";
import { compileText } from "#app/language-service";
import { compileDocument, createSystemSteps } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { flatSteps } from "#core/program";
import { type RunOptions, runPlan, runPlanOn } from "#execute/verify";
import { splitTexts } from "#language/texts";
import { readDocument } from "#systems";
import { testEngine } from "./dawn.testing.ts";
import { gptBlock } from "./gpt-block.testing.ts";

interface Seed {
  readonly id: string;
  readonly request: { readonly args: { readonly program?: string } };
}

const seeds: { readonly cases: readonly Seed[] } = JSON.parse(
  readFileSync("conformance/seeds.json", "utf8"),
);

const engine = await testEngine();
/** The same adapter with the kernels that a GPU gets. */
const asGpu = await testEngine({ limits: { isCpu: false, hasQuads: false } });

/**
 * The verdicts on a text of the CPU and of both GPUs; `undefined` if the text itself is refused.
 */
async function verdictsOf(text: string) {
  const isLoom = splitTexts(text) !== undefined;
  const document = readDocument(isLoom ? "" : text);
  const { plan, program, diagnostics } = isLoom ? compileText(text) : compileDocument(document);
  if (hasErrors(diagnostics) || program.graph.operators.length === 0) return undefined;
  const options: RunOptions = {
    seed: 1,
    values: "integers",
    traceBody: document.traceBody,
    systems: createSystemSteps(),
  };
  const runs = [
    runPlan(plan, program, options),
    await runPlanOn(engine, plan, program, options),
    await runPlanOn(asGpu, plan, program, options),
  ];
  return runs.map((run) => ({
    ok: run.ok,
    first: run.ok ? run.value.first && { ...run.value.first } : undefined,
    equal: run.ok && run.value.equal,
    refused: run.ok ? [] : run.diagnostics.map(({ message }) => message),
  }));
}

const gptStep = `${gptBlock({ dp: 2, tp: 4, batch: 4, heads: 4, width: 4 })}train(y, optimizer="adam")\n`;

test("a block of GPT runs forward, backward and through its update: integers and floats", async () => {
  const { plan, program, diagnostics } = compileDocument(readDocument(gptStep));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const steps = flatSteps(program);
  expect(new Set(steps.map(({ phase }) => phase))).toEqual(
    new Set(["forward", "backward", "update"]),
  );
  expect(steps.some((step) => step.kind === "collective" && step.collective === "all-reduce")).toBe(
    true,
  );
  for (const values of ["integers", "floats"] as const) {
    for (const each of [engine, asGpu]) {
      const run = await runPlanOn(each, plan, program, { seed: 1, values });
      if (!run.ok) throw new Error(run.diagnostics[0]?.message);
      expect(run.value.first, values).toBeUndefined();
    }
    const step = steps.findIndex(({ kind }) => kind === "collective");
    const sabotage = { step, how: "drop" } as const;
    const broken = await runPlanOn(engine, plan, program, { seed: 1, values, sabotage });
    expect(broken.ok && broken.value.first, values).toBeDefined();
  }
});

const onFloats = ["transformer-stack", "expert-parallel", "attention-heads", "loom-convolution"];

test.each(onFloats)("the example %s is within its bound on floats", async (name) => {
  const text = examples.find((example) => example.name === name)?.program ?? "";
  const compiled =
    splitTexts(text) === undefined ? compileDocument(readDocument(text)) : compileText(text);
  const { plan, program } = compiled;
  const systems = createSystemSteps();
  for (const each of [engine, asGpu]) {
    const run = await runPlanOn(each, plan, program, { seed: 2, values: "floats", systems });
    if (!run.ok) throw new Error(run.diagnostics[0]?.message);
    expect(run.value.first).toBeUndefined();
    expect(run.value.maxAbsDiff).toBeGreaterThan(name === "loom-convolution" ? -1 : 0);
  }
});

test("experts on their devices get their tokens by all-to-alls, each of which is needed", async () => {
  const text = examples.find(({ name }) => name === "expert-parallel")?.program ?? "";
  const { plan, program } = compileDocument(readDocument(text));
  const exchanges = [...flatSteps(program).entries()].filter(
    ([, step]) => step.kind === "collective" && step.collective === "all-to-all",
  );
  expect(exchanges).toHaveLength(4);
  for (const [step] of exchanges) {
    const sabotage = { step, how: "drop" } as const;
    const broken = await runPlanOn(engine, plan, program, {
      ...{ seed: 1, values: "integers", sabotage },
    });
    expect(broken.ok && broken.value.ran.wrongStep, String(step)).toBe(step);
  }
});

test.each(examples)("the example $name runs as on the CPU", async ({ program }) => {
  const [onCpu, onGpu, likeGpu] = (await verdictsOf(program)) ?? [];
  expect(onGpu).toEqual(onCpu);
  expect(likeGpu).toEqual(onCpu);
});

const texts = new Map(
  seeds.cases.flatMap(({ id, request }) =>
    request.args.program === undefined ? [] : [[request.args.program, id] as const],
  ),
);

test("the programs of the documents run as on the CPU", async () => {
  let ran = 0;
  const step = process.env.SOAK ? 1 : 3;
  for (const [text, id] of [...texts].filter((_, at) => at % step === 0)) {
    if (text.trimStart().startsWith("{")) continue;
    const [onCpu, onGpu, likeGpu] = (await verdictsOf(text)) ?? [];
    expect(onGpu, id).toEqual(onCpu);
    expect(likeGpu, id).toEqual(onCpu);
    if (onGpu?.ok === true) ran += 1;
  }
  expect(ran).toBeGreaterThan(80 / step);
});
