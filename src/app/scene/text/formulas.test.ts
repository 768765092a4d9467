import { describe, expect, test } from "vitest";
import { examples } from "#app/examples";
import { exampleText } from "#app/first-example";
import { compile } from "#compile";
import { costParts, type Metric } from "./contributors.ts";
import { formulasOf, totalFormula } from "./formulas.ts";

const metrics: readonly Metric[] = ["memory", "comm", "time"];
const close = (a: number, b: number) =>
  expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * Math.abs(b));

/** A training step with microbatches, in which steps run more than once. */
const micro = `mesh = Mesh(dp=2, tp=2, hardware="8xH100")
x = Tensor((8, 64, 32), "bf16")
w1 = Parameter((32, 128), "bf16")
w2 = Parameter((128, 32), "bf16")
h = einsum("b s d, d f -> b s f", x, w1)
y = einsum("b s f, f d -> b s d", gelu(h), w2)
strategy(h, b="dp", f="tp")
train(y, optimizer="adam", microbatches=4)
`;

const texts = [
  ["micro-batches", micro] as const,
  ...examples.map((example) => [example.name, exampleText(example)] as const),
];

describe.each(texts)("%s", (_, text) => {
  const compiled = compile(text);

  test("every figure of the cost bar is what its terms come to", () => {
    const { cost, memory } = compiled;
    close(totalFormula(compiled, "time").value, cost.seconds);
    close(totalFormula(compiled, "comm").value, cost.bytes);
    close(totalFormula(compiled, "memory").value, memory.peakBytes);
  });

  test.each(metrics)("every row of %s is what its parts come to, by their own terms", (metric) => {
    for (const part of costParts(compiled, metric)) {
      const parts = formulasOf(compiled, part, metric);
      close(
        parts.reduce((sum, { value, runs }) => sum + runs * value, 0),
        part.value,
      );
      for (const { value, formulas } of parts) {
        const [own] = formulas;
        if (own !== undefined) close(own.value, value);
      }
    }
  });
});

test("the formulas of a plan without windows and uneven pieces leave no figure open", () => {
  const example = examples.find(({ name }) => name === "megatron-mlp");
  const compiled = compile(example === undefined ? "" : exampleText(example));
  for (const metric of metrics) {
    for (const part of costParts(compiled, metric)) {
      for (const { formulas } of formulasOf(compiled, part, metric)) {
        expect(formulas.length).toBeGreaterThan(0);
      }
    }
  }
});
