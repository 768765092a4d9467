import { withEnd } from "./ends.ts";
import type { Family } from "./family.ts";
import { isOfSizes } from "./usual.ts";

/** A model class as a library would offer it; the configuration chooses among its families. */
export interface FamilyClass {
  /**
   * Families that have the class; a family is skipped when a configuration does not match its
   * `where`.
   */
  readonly families: readonly Family[];
  readonly name: string;
  /** Its class name in the families' texts or their ends. */
  readonly own: string;
}

/** The families' class for a published class name; `undefined` when there is none. */
export function familyClass(list: readonly Family[], name: string): FamilyClass | undefined {
  const families = list.filter(
    ({ architectures = [], ends = {} }) =>
      architectures.includes(name) || Object.hasOwn(ends, name),
  );
  const [first] = families;
  const own = first?.ends?.[name] ?? first?.architectures?.[0];
  return own === undefined ? undefined : { families, name, own };
}

/**
 * A model without its head, such as `MixtralModel`, if the texts of language models have it as a
 * class that is called with token ids; else `undefined`.
 */
export function bareClass(
  list: readonly Family[],
  texts: ReadonlyMap<string, string>,
  name: string,
): FamilyClass | undefined {
  const families = list.filter(({ text, architectures = [] }) => {
    const isLanguage = /ForCausalLM$|LMHeadModel$/u.test(architectures[0] ?? "");
    const source = isLanguage ? (texts.get(text) ?? "") : "";
    return source.includes(`\nclass ${name}(nn.Module):`) && /Model$/u.test(name);
  });
  return families.length === 0 ? undefined : { families, name, own: name };
}

/** Lines that set sizes, and values that are literals, not expressions of other sizes. */
const sizeLine = /^(\w+) = (.+)$/u;
const literal = /^(?:-?[\d.]+(?:e-?\d+)?|True|False|None|"[^"]*"|\[.*\])$/u;
/** Sizes taken from the arguments of the call. */
const openSizes = ["B", "S", "T", "N"];

/**
 * The text of one class as a library: its sizes come from a configuration, batch and sequence
 * length from its call. With several texts, the first whose `where` matches the configuration is
 * used.
 */
export function libraryTextOf(
  texts: ReadonlyMap<string, string>,
  { families, name, own }: FamilyClass,
): string | undefined {
  const parts = families.map((family) => partsOf(texts, family, own));
  const [first] = parts;
  if (first === undefined || parts.some((part) => part === undefined)) return undefined;
  const made = parts.flatMap((part, at) => [
    `def _made_${at}():\n${(part?.inside ?? "").replaceAll(/^(?=.)/gmu, "    ")}`,
  ]);
  const cases = families.map(({ where = {} }, at) => `(${pythonOf(where)}, _made_${at})`);
  return `${first.imports}
from torch._operators import is_tensor, moe_combine, moe_dispatch, published, rotary

_PublishedModel, _size, _text_of = published("_PublishedModel"), published("_size"), published("_text_of")

def _now(size):
    return size() if callable(size) else size

${made.join("\n\n")}

${
  families.length === 1
    ? `${name} = _made_0()`
    : `class ${name}(_PublishedModel):
    _texts = [${cases.join(", ")}]
    def __new__(cls, config, *args, **options):
        return _text_of(cls, config)()(config, *args, **options)`
}
`;
}

/** The imports of a text, and the code that makes its class, as lines of a function body. */
function partsOf(
  texts: ReadonlyMap<string, string>,
  family: Family,
  name: string,
): { readonly imports: string; readonly inside: string } | undefined {
  const main = texts.get(family.text) ?? "";
  const ends = texts.get(family.text.replace(/\.py$/u, ".ends.py")) ?? "";
  const text = family.ends?.[name] === undefined ? main : withEnd(main, ends, name);
  const [head = "", sizes = "", ...blocks] = text?.trimEnd().split(/\n\n(?=\S)/u) ?? [];
  const body = blocks.filter((block) => !/^mesh = /u.test(block)).slice(0, -1);
  const top = body.findIndex((block) => block.startsWith(`class ${name}(`));
  const owner = body[top];
  if (owner === undefined) return undefined;
  const named = sizes.split("\n").flatMap((line) => {
    const [, size = "", value = ""] = sizeLine.exec(line) ?? [];
    return size === "" || openSizes.includes(size) ? [] : [{ size, value }];
  });
  const rest = [...body.slice(0, top), ...body.slice(top + 1)];
  const leaves = rest.filter((block) => /^\w+ = Tensor\(/u.test(block));
  const others = rest.filter((block) => !leaves.includes(block));
  const late = lateArguments([...others, owner]);
  const inside = [
    `${openSizes.join(" = ")} = None\n_dtype = torch.float32\n${named.map(({ size, value }) => `${size} = ${value}`).join("\n")}`,
    ...leaves.map((block) => block.replaceAll(/ = Tensor\(.*$/gmu, " = None")),
    settledBy(family, named),
    ...[...others, madeFrom(owner, { name, family, call: blocks.at(-1) ?? "", leaves })].map(
      (block) => late(block).replaceAll("torch.bfloat16", "_dtype"),
    ),
    `return ${name}`,
  ].join("\n\n");
  return { imports: head.replace(/^#.*\n/gmu, ""), inside };
}

/**
 * Rewrites blocks whose layers are constructed with an open size (`size=S`), so that they read it
 * when they run.
 */
function lateArguments(blocks: readonly string[]): (block: string) => string {
  const argument = new RegExp(`\\b(\\w+)=(${openSizes.join("|")})(?=,$|[,)])`, "gmu");
  const names = new Set(
    blocks.flatMap((block) => [...block.matchAll(argument)].map(([, name]) => name)),
  );
  if (names.size === 0) return (block) => block;
  const read = new RegExp(`self\\.(${[...names].join("|")})\\b(?! =)`, "gu");
  return (block) => block.replaceAll(argument, "$1=lambda: $2").replaceAll(read, "_now(self.$1)");
}

/** The Python function that sets the text's sizes from a configuration. */
function settledBy(
  { defaults, nested = {}, repeats = {}, every = {} }: Family,
  sizes: readonly { readonly size: string; readonly value: string }[],
): string {
  const names = sizes.map(({ size }) => size);
  const paths = new Map(Object.entries(nested).map(([path, size]) => [size, path]));
  const settled = sizes.map(({ size, value }) => {
    const usual = defaults[size];
    const otherwise = isOfSizes(usual, new Set(names))
      ? usual
      : literal.test(value) && usual !== undefined
        ? pythonOf(usual)
        : value;
    const path = paths.get(size) ?? size;
    // Another name of a key stands beside its own, and a path in place of it.
    const own =
      path === size || path.includes(".") ? otherwise : `_size(config, "${size}", ${otherwise})`;
    return `    ${size} = _size(config, "${path}", ${own})`;
  });
  const others = Object.entries(defaults).filter(
    ([key]) => !names.includes(key) && key !== "num_labels" && key !== "pad_token_id",
  );
  const rest = others.map(([key, value]) => `"${key}": ${pythonOf(value)}`).join(", ");
  return `_others = {${rest}}
_repeats = ${pythonOf(repeats)}
_every = ${pythonOf(every)}

def _settle(config, dtype):
    nonlocal ${[...names, "_dtype"].join(", ")}
    _dtype = dtype
${settled.join("\n")}`;
}

/** A JSON value as a Python literal. */
export function pythonOf(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonOf).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value as object);
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}: ${pythonOf(each)}`).join(", ")}}`;
}

/** An input of a class: its name and dims, as written in the text. */
interface Input {
  readonly name: string;
  readonly dims: readonly string[];
}

/** Inputs of a text, from the lines before its call. */
function inputsOf(call: string): readonly Input[] {
  const lines = [...call.matchAll(/^(\w+) = Tensor\(\((.*?),?\), "\w+"\)/gmu)];
  return lines.map(([, name = "", dims = ""]) => ({ name, dims: dims.split(", ") }));
}

/** The class for users: constructed from a configuration, and called as in transformers. */
function madeFrom(
  owner: string,
  about: {
    readonly name: string;
    readonly family: Family;
    readonly call: string;
    readonly leaves: readonly string[];
  },
): string {
  const { name, family } = about;
  const inputs = inputsOf(about.call);
  const constants = about.leaves.flatMap((block) => block.split("\n")).map(constantOf);
  const open = [...new Set(inputs.flatMap(({ dims }) => dims))].filter((dim) =>
    openSizes.includes(dim),
  );
  const given = inputs.map(
    (input) => `("${input.name}", ${input.name}, ${pythonOf(opensOf(input))})`,
  );
  const front = family.front === undefined ? "None" : family.front;
  return `${owner
    .replace(/^class (\w+)\(nn\.Module\):/u, "class $1(_PublishedModel):")
    .replace("def __init__(self):", "def __init__(self, config, *args, **options):")
    .replace(
      "        super().__init__()\n",
      "        super().__init__(config)\n        self._check(_others, _repeats, _every)\n        _settle(config, torch.float32)\n",
    )
    .replace(/def forward\(/u, "def _run(")}

    _dims = {${inputs.map((input) => `"${input.name}": ${pythonOf(opensOf(input))}`).join(", ")}}

    def _open(self, _sizes):
        nonlocal ${[...open, ...constants.map((each) => each.name)].join(", ")}
        _settle(self.config, next(self.parameters()).dtype)
        ${open.map((dim) => `${dim} = _sizes.get("${dim}", ${dim})`).join("\n        ")}
${constants.map((each) => `        ${each.name} = ${each.value}\n`).join("")}
    def forward(self, ${signatureOf(inputs)}, *args, labels=None, **options):
        _inputs, _sizes = self._taken([${given.join(", ")}], labels, options, ${front})
        if _inputs is None:
            return _sizes
        self._open(_sizes)
        return self._finished("${name}", self._run(*_inputs), labels, attention_mask, options)`;
}

/** Parameters of a call; the attention mask comes before a decoder's inputs, else last. */
function signatureOf(inputs: readonly Input[]): string {
  const at = inputs.findIndex(({ name }, index) => index > 0 && name.startsWith("decoder_"));
  const names = inputs.map(({ name }) => name);
  names.splice(at < 0 ? names.length : at, 0, "attention_mask");
  return names.map((each) => `${each}=None`).join(", ");
}

/** Name of the open size of each dim of an input; `null` for other dims. */
function opensOf({ dims }: Input): readonly (string | null)[] {
  return dims.map((dim) => (openSizes.includes(dim) ? dim : null));
}

/** A constant whose numbers are not in the text, as zeros. */
function constantOf(line: string): { readonly name: string; readonly value: string } {
  const [, name = "", dims = "", dtype = ""] =
    /^(\w+) = Tensor\((\(.*?\)), "(\w+)"\)/u.exec(line) ?? [];
  return { name, value: `torch.zeros(${dims}, dtype=torch.${dtype})` };
}
