import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readDocument } from "#systems";
import { knownFamilies } from "#systems/families";
import { fileOf, madeOnly } from "../published.testing.ts";
import { readConfig } from "./read-config.ts";

interface HeldBack {
  readonly name: string;
  /** What `python/tools/held_back.py` counts by PyTorch. */
  readonly parameters: number;
  /** What the text is said not to be. */
  readonly left: readonly string[];
  readonly config: unknown;
}

const lines = readFileSync(join(import.meta.dirname, "fixtures", "held-back.jsonl"), "utf8");
const rows: readonly HeldBack[] = lines
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));

test.each(rows)(
  "$name, whose file no text was made from, has PyTorch's parameters, and what it leaves out is named",
  ({ parameters, left, config }) => {
    const file = fileOf("config.json", JSON.stringify(config));
    const made = readConfig(file, { sequence: 32 }, knownFamilies);
    if (!made.ok) throw new Error(made.diagnostics.map(({ message }) => message).join());
    const notes = made.value.notes.map(({ message }) => message.replace("not modelled: ", ""));
    expect(notes.flatMap((each) => each.split(", "))).toEqual(left);
    const { modules, diagnostics } = readDocument(madeOnly(made.value.program ?? ""));
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(modules.get("model")).toBe(parameters);
  },
);
