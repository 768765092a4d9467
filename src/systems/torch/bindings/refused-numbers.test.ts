import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readDocument } from "#systems";

/** What PyTorch 2.13 refuses of numbers in the place of `_`, by `engines/record_refused_numbers.py`. */
interface Recorded {
  readonly names: Readonly<Record<string, string>>;
  /** A form, and the numbers that were asked, with `!` behind those that are refused. */
  readonly rows: readonly (readonly [form: string, words: string])[];
}

const { names, rows }: Recorded = JSON.parse(
  readFileSync("src/systems/torch/bindings/refused-numbers.json", "utf8"),
);

/** Words that are answered otherwise, with the reason. */
const otherwise: Readonly<Record<string, string>> = {
  "torch.combinations(v, 100!)": "more elements than any machine counts",
  "torch.optim.SGD(w, momentum=2)": "momentum that grows is said to be none",
  "torch.optim.SGD(w, momentum=100)": "momentum that grows is said to be none",
  "torch.optim.SGD(w, momentum=1.5)": "momentum that grows is said to be none",
};

const imports = `import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.utils.data as D
`;

function isRefused(call: string): boolean {
  const used = new Set(call.match(/(?<![\w.'])[a-z]+\b(?![\w('])/gu));
  const made = Object.entries(names).filter(([name]) => used.has(name));
  const lines = made.map(([name, value]) => `${name} = ${value}\n`).join("");
  const use = call.includes("DataLoader") ? "for each in made:\n    break\n" : "";
  const { diagnostics } = readDocument(`${imports}${lines}made = ${call}\n${use}`);
  return diagnostics.some(({ severity }) => severity === "error");
}

test.each(rows)("%s is refused as PyTorch refuses it: %s", (form, words) => {
  const said = words.split(" ").map((word) => {
    if (Object.hasOwn(otherwise, form.replace(/\b_\b/u, word))) return word;
    const number = word.replace("!", "");
    return isRefused(form.replace(/\b_\b/u, number)) ? `${number}!` : number;
  });
  expect(said.join(" ")).toBe(words);
});
