import { expect, test } from "vitest";
import { compile } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { knownFamilies } from "#systems/families";
import published from "../../families/published.json";
import { fileOf } from "../published.testing.ts";
import { readConfig } from "./read-config.ts";

/** The program of a configuration as it was published, by its family's name and sizes. */
function programOf(text: string, config: Readonly<Record<string, unknown>>): string {
  const family = knownFamilies.list.find((each) => each.text === text);
  const identity = { model_type: family?.model_type[0], architectures: family?.architectures };
  const file = fileOf("config.json", JSON.stringify({ ...identity, ...config }));
  const made = readConfig(file, { sequence: 32 }, knownFamilies);
  if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join());
  return made.value.program ?? "";
}

test.each(published)("$name has the parameters that were published", (sample) => {
  const { text, parameters, config } = sample;
  const compiled = compile(programOf(text, config));
  expect(compiled.modules?.get("model")).toBe(parameters);
  expect(hasErrors(compiled.diagnostics)).toBe(false);
  expect(compiled.diagnostics.filter(({ severity }) => severity === "warning")).toEqual([]);
});

test("every family is held against configurations that were published", () => {
  const held = new Set(published.map(({ text }) => text));
  expect(knownFamilies.list.map(({ text }) => text).filter((text) => !held.has(text))).toEqual([]);
});
