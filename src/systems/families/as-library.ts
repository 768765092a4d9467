import { withEnd } from "./ends.ts";
import type { Family } from "./family.ts";

/** A class of a family's text as a module of a library, which makes it from a configuration. */
export interface FamilyClass {
  readonly family: Family;
  /** The class of the family's text, or the one of its ends, that it is. */
  readonly name: string;
}

/**
 * The class that a family's text has under a name; `undefined` where none has it, where its sizes
 * stand in parts of a configuration, or where another text of the class stands for some configurations.
 */
export function familyClass(list: readonly Family[], name: string): FamilyClass | undefined {
  const [family, ...others] = list.filter(
    ({ architectures = [], ends = {} }) => architectures[0] === name || ends[name] === name,
  );
  if (family === undefined || others.length > 0) return undefined;
  return family.nested === undefined && family.where === undefined ? { family, name } : undefined;
}

/** A size: what stands behind its `=`, and whether that is a value or an expression of others. */
const sizeLine = /^(\w+) = (.+)$/u;
const literal = /^(?:-?[\d.]+(?:e-?\d+)?|True|False|None|"[^"]*"|\[.*\])$/u;

/**
 * The text of one class as a library: its sizes are those of the configuration that it is made
 * with, batch and sequence those of what it is called with. `undefined` where its call takes
 * several inputs.
 */
export function libraryTextOf(
  texts: ReadonlyMap<string, string>,
  { family, name }: FamilyClass,
): string | undefined {
  const main = texts.get(family.text) ?? "";
  const ends = texts.get(family.text.replace(/\.py$/u, ".ends.py")) ?? "";
  const text = family.ends?.[name] === undefined ? main : withEnd(main, ends, name);
  const [head = "", sizes = "", ...blocks] = text?.trimEnd().split(/\n\n(?=\S)/u) ?? [];
  const body = blocks.filter((block) => !/^mesh = /u.test(block)).slice(0, -1);
  const top = body.findIndex((block) => block.startsWith(`class ${name}(`));
  const owner = body[top];
  const input = owner && /\n {4}def forward\(self, (\w+)\):\n/u.exec(owner)?.[1];
  if (owner === undefined || input === undefined) return undefined;
  const lines = sizes.split("\n");
  const named = lines.flatMap((line) => {
    const [, size = "", value = ""] = sizeLine.exec(line) ?? [];
    return size === "" ? [] : [{ size, value }];
  });
  const inBatch = named.filter(({ size }) => size !== "B");
  const made = madeFrom(
    owner,
    name,
    input,
    lines.some((line) => line.startsWith("B, S")),
  );
  const inside = [
    `B = S = None\n_dtype = torch.float32\n${inBatch.map(({ size, value }) => `${size} = ${value}`).join("\n")}`,
    settledBy(family, inBatch),
    ...[...body.slice(0, top), ...body.slice(top + 1), made].map((block) =>
      block.replaceAll("torch.bfloat16", "_dtype"),
    ),
    `return ${name}`,
  ].join("\n\n");
  return `${head.replace(/^#.*\n/gmu, "")}
from torch._operators import is_tensor, moe_combine, moe_dispatch, published, rotary

_PublishedModel, _size = published("_PublishedModel"), published("_size")

def _made():
${inside.replaceAll(/^(?=.)/gmu, "    ")}

${name} = _made()
`;
}

/** The function that gives the sizes of a configuration to the names of the text. */
function settledBy(
  { defaults }: Family,
  sizes: readonly { readonly size: string; readonly value: string }[],
): string {
  const names = sizes.map(({ size }) => size);
  const settled = sizes.map(({ size, value }) => {
    const usual = defaults[size];
    const otherwise =
      typeof usual === "string" && names.includes(usual)
        ? usual
        : literal.test(value) && usual !== undefined
          ? pythonOf(usual)
          : value;
    return `    ${size} = _size(config, "${size}", ${otherwise})`;
  });
  const others = Object.entries(defaults).filter(
    ([key]) => !names.includes(key) && key !== "num_labels" && key !== "pad_token_id",
  );
  const rest = others.map(([key, value]) => `"${key}": ${pythonOf(value)}`).join(", ");
  return `_others = {${rest}}

def _settle(config, dtype):
    nonlocal ${[...names, "_dtype"].join(", ")}
    _dtype = dtype
${settled.join("\n")}`;
}

function pythonOf(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}

/** The class that users make: from a configuration, called as transformers calls it. */
function madeFrom(owner: string, name: string, input: string, hasLength: boolean): string {
  const shape = hasLength ? `B, S = ${input}.shape` : `B = ${input}.shape[0]`;
  const row = hasLength ? `        ${input} = self._row(${input})\n` : "";
  return `${owner
    .replace(/^class (\w+)\(nn\.Module\):/u, "class $1(_PublishedModel):")
    .replace("def __init__(self):", "def __init__(self, config, *args, **options):")
    .replace(
      "        super().__init__()\n",
      "        super().__init__(config)\n        self._check(_others)\n        _settle(config, torch.float32)\n",
    )
    .replace(`def forward(self, ${input}):`, `def _run(self, ${input}):`)}

    def forward(self, ${input}=None, attention_mask=None, *args, labels=None, **options):
        nonlocal B, S
        if not is_tensor(${input}):
            ${input} = self._given("${input}")
        _settle(self.config, next(self.parameters()).dtype)
${row}        ${shape}
        return self._finished("${name}", self._run(${input}), labels, attention_mask)`;
}
