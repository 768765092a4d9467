import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { compileDocument } from "#compile";
import type { TensorId } from "#core/ir";
import type { Placement } from "#core/plan";
import type { Document } from "#language/document";
import { type Optimized, optimize } from "#planner";
import { readDocument } from "#systems";
import { passedValue } from "../../core/mesh/layouts.testing.ts";
import { optimizeAnswer } from "./optimize.ts";
import { planRequestOf } from "./plan-request.ts";
import { readPlatform } from "./platform-request.ts";

interface Given {
  readonly id: string;
  readonly request: { readonly args: Readonly<Record<string, unknown>> };
}

const { cases }: { readonly cases: readonly Given[] } = JSON.parse(
  readFileSync("conformance/planner-random.json", "utf8"),
);

/** A document whose text states a whole plan: every strategy, and every layout at rest. */
function withPlan(document: Document, { strategies, layouts }: Optimized): Document {
  const { mesh } = document.mesh;
  const status = "set";
  const operators = [...strategies].map(
    ([id, strategy]) => [id, { strategy, mesh, status }] as const,
  );
  const placements = new Map<TensorId, Placement>(document.requests.placements);
  for (const [id, layout] of layouts.rest) placements.set(id, { layout, status });
  return { ...document, requests: { operators: new Map(operators), placements } };
}

test("[planner §4.4] the steps of every plan that is found add up to its objective and its memory", () => {
  let compared = 0;
  for (const { id, request } of cases) {
    const { program, hardware, outputs = {} } = request.args;
    const document = readDocument(String(program), passedValue(readPlatform(hardware)));
    const outcome = optimize(passedValue(planRequestOf(document, request.args)));
    if (!outcome.ok) continue;
    const planned = withPlan(document, outcome.value);
    const { cost, memory } = compileDocument(planned, { model: "plain", outputs: Object(outputs) });
    const { seconds, communication, bytes } = outcome.value;
    expect([id, (cost.seconds - seconds) / (seconds || 1)]).toEqual([id, expect.closeTo(0, 9)]);
    expect([id, cost.communicationSeconds - communication]).toEqual([id, expect.closeTo(0, 15)]);
    expect([id, memory.peakBytes]).toEqual([id, bytes]);
    compared += 1;
  }
  expect(compared).toBeGreaterThan(100);
});

const program = "mesh = Mesh(a=2)\nx = Tensor((4, 4))\ny = relu(x)";
const hardware = { flops: 1e9, links: {} };

test.each`
  args                             | code                    | message
  ${{ pins: { z: {} } }}           | ${"pin-conflict"}       | ${'no operator "z"'}
  ${{ pins: { y: { m: ["b"] } } }} | ${"pin-conflict"}       | ${'"b", no mesh axis'}
  ${{ pins: { y: 3 } }}            | ${"cli/bad-request"}    | ${'"pins" gives'}
  ${{ pins: 3 }}                   | ${"cli/bad-request"}    | ${'"pins" gives'}
  ${{ outputs: 3 }}                | ${"cli/bad-request"}    | ${'"outputs" gives'}
  ${{ model: "plane" }}            | ${"cost/unknown-model"} | ${'"plane" is no cost model'}
`("it refuses $args by $code", ({ args, code, message }) => {
  const answer = optimizeAnswer({ program, hardware, model: "plain", ...args });
  expect(answer.ok).toBe(false);
  expect(answer.diagnostics.at(-1)?.code).toBe(code);
  expect(answer.diagnostics.at(-1)?.message).toContain(message);
});
