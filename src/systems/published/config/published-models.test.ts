import { expect, test } from "vitest";
import { parameterNumbers } from "#core/ir";
import { readDocument } from "#systems";
import { knownFamilies } from "#systems/families";
import models from "../../families/published.json" with { type: "json" };
import { fileOf } from "../published.testing.ts";
import { readConfig } from "./read-config.ts";

/** The configuration as it is published: with the type and class of its family's first model. */
function programOf(text: string, config: object, isTraining: boolean): string {
  const family = knownFamilies.list.find((each) => each.text === text);
  const named = { model_type: family?.model_type[0], architectures: family?.architectures };
  const file = fileOf("config.json", JSON.stringify({ ...named, ...config }));
  const made = readConfig(file, { sequence: 128, isTraining }, knownFamilies);
  if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join());
  return made.value.program ?? "";
}

test.each(models)("$name has the published parameters", ({ text, config, parameters }) => {
  const { graph, diagnostics } = readDocument(programOf(text, config, false));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  const own = parameterNumbers(graph);
  expect(Math.abs(own - parameters) / parameters).toBeLessThanOrEqual(0.001);
});

test.each(knownFamilies.list.map(({ text }) => text))("%s is trained", (text) => {
  const model = models.find((each) => each.text === text);
  const { training, diagnostics } = readDocument(programOf(text, { ...model?.config }, true));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(training).toBeDefined();
});
