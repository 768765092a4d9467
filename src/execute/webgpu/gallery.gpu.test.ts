import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compileText } from "#app/assist";
import { examples } from "#app/examples";
import { compileDocument, createSystemSteps } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { type RunOptions, runPlan, runPlanOn } from "#execute/verify";
import { readDocument } from "#language/document";
import { splitTexts } from "#language/texts";
import { testEngine } from "./dawn.testing.ts";

interface Seed {
  readonly id: string;
  readonly request: { readonly args: { readonly program?: string } };
}

const seeds: { readonly cases: readonly Seed[] } = JSON.parse(
  readFileSync("conformance/seeds.json", "utf8"),
);

const engine = await testEngine();

/** What a run of a text says, on both engines; nothing where the text itself is refused. */
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
  const runs = [runPlan(plan, program, options), await runPlanOn(engine, plan, program, options)];
  return runs.map((run) => ({
    ok: run.ok,
    first: run.ok ? run.value.first && { ...run.value.first } : undefined,
    equal: run.ok && run.value.equal,
    refused: run.ok ? [] : run.diagnostics.map(({ message }) => message),
  }));
}

test.each(examples)("the example $name runs as on the CPU", async ({ program }) => {
  const [onCpu, onGpu] = (await verdictsOf(program)) ?? [];
  expect(onGpu).toEqual(onCpu);
});

const texts = new Map(
  seeds.cases.flatMap(({ id, request }) =>
    request.args.program === undefined ? [] : [[request.args.program, id] as const],
  ),
);

test("the programs of the documents run as on the CPU", async () => {
  let ran = 0;
  for (const [text, id] of texts) {
    if (text.trimStart().startsWith("{")) continue;
    const [onCpu, onGpu] = (await verdictsOf(text)) ?? [];
    expect(onGpu, id).toEqual(onCpu);
    if (onGpu?.ok === true) ran += 1;
  }
  expect(ran).toBeGreaterThan(80);
});
