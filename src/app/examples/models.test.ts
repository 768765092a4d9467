import { expect, test } from "vitest";
import { compile } from "#compile";
import type { Tensor } from "#core/ir";
import { planDocument } from "#edit";
import { deepseekLayer } from "./models/deepseek-v3-layer.ts";
import { models } from "./models.ts";

const elements = ({ shape }: Tensor) => shape.reduce((product, size) => product * size, 1);

/** PyTorch counts the same number of parameters for these texts on its `meta` device. */
test.each(models)("$name reads without a word and has the published parameters", (model) => {
  const { graph, diagnostics } = planDocument(model.program);
  expect(diagnostics).toEqual([]);
  const parameters = graph.tensors.filter(({ role }) => role === "parameter");
  expect(parameters.reduce((sum, each) => sum + elements(each), 0)).toBe(model.parameters);
});

test("a layer of DeepSeek-V3 is what 58 of its 61 are, and with the others makes the model", () => {
  const { graph } = planDocument(deepseekLayer.program);
  const of = (part: string) =>
    graph.tensors
      .filter(({ name, role }) => role === "parameter" && name.startsWith(part))
      .reduce((sum, each) => sum + elements(each), 0);
  const layer = deepseekLayer.parameters ?? 0;
  const dense = layer - of("moe.") + 3 * 7168 * 18432;
  expect(58 * layer + 3 * dense + 2 * 129280 * 7168 + 7168).toBe(671_026_404_352);
});

test.each(models)(
  "the plan by hand of $name is legal, known in full and fits its devices",
  (model) => {
    const { diagnostics, cost, memory, hardware } = compile(model.program);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(cost.seconds).toBeGreaterThan(0);
    expect(cost.bytes).toBeGreaterThan(0);
    expect(memory.peakBytes).toBeLessThan(hardware.memoryBytes);
  },
);
