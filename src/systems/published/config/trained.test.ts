import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { knownFamilies } from "#systems/families";
import models from "../../families/published.json" with { type: "json" };
import { fileOf } from "../published.testing.ts";
import { readConfig } from "./read-config.ts";
import { trained } from "./trained.ts";

test.each(knownFamilies.list.map(({ text }) => text))("%s is trained", (text) => {
  const family = knownFamilies.list.find((each) => each.text === text);
  const model = models.find((each) => each.text === text);
  const named = { model_type: family?.model_type[0], architectures: family?.architectures };
  const file = fileOf("config.json", JSON.stringify({ ...named, ...model?.config }));
  const made = readConfig(file, { sequence: 32, isTraining: true }, knownFamilies);
  const { training, diagnostics } = readDocument((made.ok && made.value.program) || "");
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(training).toBeDefined();
});

test("a model without a vocabulary at its end has the mean of its result for a loss, which is said", () => {
  const program = trained("x = Tensor((8, 4))\ny = relu(x)\n");
  expect(program).toContain(
    "# config.json names no loss: the mean of the result stands in for one.",
  );
  expect(program.trimEnd().endsWith("loss = y.mean()\ntrain(loss)")).toBe(true);
});

test("a model that gives several tensors has the sum of their means", () => {
  const program = trained("x = Tensor((8, 4))\ny0, y1 = x.split(2, -1)\n");
  expect(program.trimEnd().endsWith("loss = y0.mean() + y1.mean()\ntrain(loss)")).toBe(true);
  const { training, diagnostics } = readDocument(program);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(training).toBeDefined();
});
