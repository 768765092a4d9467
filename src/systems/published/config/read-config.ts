import { type Checked, passed } from "#core/diagnostics";
import { fieldOf, isRecord } from "#core/records";
import { isOfSizes, withEnd } from "#systems/families";
import type { ImportChoice, PublishedFile, PublishedProgram } from "../format.ts";
import { notModelled, oneLine, refused } from "../refused.ts";
import { flatConfig, leftOver } from "./config-keys.ts";
import { type Families, type Family, type Identity, knownTypes } from "./family.ts";
import { isWithoutInfluence } from "./known-keys.ts";
import { type Config, type OwnPart, partOf } from "./own-part.ts";
import { literalOf, pythonOf, type SizeLine, sizesOf } from "./sizes.ts";
import { trained } from "./trained.ts";

/** A configuration is a page of JSON: longer ones are none. */
const mostBytes = 1 << 20;

/** Choices where nobody has chosen. */
const usual: ImportChoice = { batch: 1, sequence: 4096, isTraining: false };

/**
 * A `config.json` of Hugging Face as the text of its family, with its sizes: every key of it is a
 * size of the text, known to say nothing of shapes and work, or named as not modelled.
 */
export function readConfig(
  file: PublishedFile,
  chosen: Partial<ImportChoice>,
  families: Families,
): Checked<PublishedProgram> {
  const { name } = file;
  if (file.size > mostBytes) return refused(name, "a configuration has at most 1 MiB");
  const config = jsonIn(file.decode(file.bytes));
  if (config === undefined) return refused(name, "it is no JSON object");
  const own = partOf(families, config);
  const { identity, family } = own;
  if (family === undefined) return refused(name, unknownType(identity, families));
  const other = Object.entries(family.others ?? {}).find(([key, value]) => config[key] === value);
  if (other !== undefined) return refused(name, otherNet(family, other));
  const text = textOf(families, family, own.end);
  if (text === undefined) return refused(name, `the text of ${family.title} is missing`);
  const first = filledIn(text, family, own, { ...usual, ...chosen });
  if (typeof first === "string") return refused(name, first);
  const longest = longestRow(first.program);
  const isLonger = chosen.sequence === undefined && longest < usual.sequence;
  const choice = { ...usual, ...(isLonger && { sequence: longest }), ...chosen };
  const filled = isLonger ? filledIn(text, family, own, choice) : first;
  if (typeof filled === "string") return refused(name, filled);
  const title = oneLine(identity.classes[0] ?? identity.type ?? family.title);
  const program = [...headOf(title, family, filled), filled.program].join("\n");
  const sentence = `${title}: ${filled.set} of the ${filled.all} sizes of ${family.title} are those of ${oneLine(name)}.`;
  const notes = notModelled(filled.left);
  const open = hasRows(program) ? choice : withoutRows(choice);
  return passed({ format: "config.json", title, program, sentence, choice: open, notes });
}

/** Sizes of tables of positions, beyond which a row of tokens has none. */
const positions =
  /^(?:text_)?(?:max_position_embeddings|n_positions|max_target_positions) = (\d+)$/mu;

/** How long a row of tokens can be: as its table of positions is, of which some begin behind the padding's. */
function longestRow(program: string): number {
  const rows = Number(positions.exec(program)?.[1] ?? Number.POSITIVE_INFINITY);
  return rows > 2 && /\.cumsum\(/u.test(program) ? rows - 2 : rows;
}

/** The text of a family, with the end of another class where it has that. */
function textOf(
  { texts }: Families,
  { text }: Family,
  end: string | undefined,
): string | undefined {
  const main = texts.get(text);
  const ends = texts.get(text.replace(/\.py$/u, ".ends.py"));
  if (end === undefined || main === undefined) return main;
  return ends === undefined ? undefined : withEnd(main, ends, end);
}

function headOf(title: string, family: Family, { left }: Filled): readonly string[] {
  return [
    `# ${title}, read from config.json into the text of ${family.title}.`,
    ...(left.length === 0 ? [] : [`# Not modelled: ${left.join(", ")}.`]),
  ];
}

/** Texts, and numbers that Python's JSON has a word for where JSON has none. */
const textOrPythonNumber = /"(?:[^"\\]|\\.)*"|-?\bInfinity\b|\bNaN\b/gu;

function jsonIn(text: string | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const plain = (text ?? "").replace(/^\ufeff/u, "");
    const read: unknown = JSON.parse(
      plain.replaceAll(textOrPythonNumber, (each) => (each.startsWith('"') ? each : "null")),
    );
    return isRecord(read) ? read : undefined;
  } catch {
    return undefined;
  }
}

function unknownType({ type, classes }: Identity, families: Families): string {
  const [own = "no model_type"] = [type, ...classes].flatMap((each) =>
    each === undefined ? [] : [`"${oneLine(each)}"`],
  );
  return `there is no text for ${own}; there are texts for ${knownTypes(families).join(", ")}`;
}

function otherNet({ title, model_type: [type] }: Family, [key, value]: [string, unknown]): string {
  return `there is no text for "${type}" with ${key} = ${JSON.stringify(value)}, another net than ${title}`;
}

interface Filled {
  readonly program: string;
  /** Sizes that the configuration says, of all that the text has. */
  readonly set: number;
  readonly all: number;
  /** Keys that the text has not, each with its value where that is short. */
  readonly left: readonly string[];
}

/**
 * The comment in a family's text that names the model of its sizes, which are not those of this
 * file.
 */
const ofFirstModel = /^# Sizes are those of .*\n/mu;

/** The text with the sizes of a configuration, or why it cannot have them. */
function filledIn(
  text: string,
  family: Family,
  { config, left: others }: OwnPart,
  choice: ImportChoice,
): Filled | string {
  const { lines: own, inputs, sizes } = sizesOf(text.replace(ofFirstModel, ""));
  const lines = [...own];
  const given = flatConfig(config, family);
  let set = 0;
  for (const line of sizes.values()) {
    const written = writtenSize(line, given.sizes, family, new Set(sizes.keys()));
    if ("fault" in written) return written.fault;
    if (written.value !== undefined) lines[line.at] = `${line.name} = ${written.value}`;
    if (isSaid(given.sizes.get(line.name))) set += 1;
  }
  if (inputs !== undefined) lines[inputs] = inputLine(lines[inputs] ?? "", choice);
  const left = [...others, ...leftOver(given, family, new Set(sizes.keys()), choice)];
  const typed = withDtype(lines.join("\n"), config);
  const program = choice.isTraining ? trained(typed) : typed;
  return { program, set, all: sizes.size, left };
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/**
 * The text behind a size's `=`: the configuration's value, else the usual one, which may be the
 * name of another size; `undefined` where the text computes the size.
 */
function writtenSize(
  { name, value, isLiteral }: SizeLine,
  given: ReadonlyMap<string, unknown>,
  { defaults, optional = [], missing = {} }: Family,
  names: ReadonlySet<string>,
): { readonly value: string | undefined } | { readonly fault: string } {
  const said = given.has(name) ? given.get(name) : fieldOf(missing, name);
  const usualValue = Object.hasOwn(defaults, name) ? defaults[name] : undefined;
  const mayBeNone = value === "None" || optional.includes(name);
  if (mayBeNone && (said === null || (said === undefined && usualValue === null))) {
    return { value: "None" };
  }
  if (said === null && isLiteral && !isEmptyAs(name, usualValue)) {
    return { fault: `its ${name} is null, and the text of the family has one` };
  }
  if (!isSaid(said)) {
    if (!isLiteral) return { value: undefined };
    if (isOfSizes(usualValue, names)) return { value: usualValue };
    if (usualValue === undefined || usualValue === null) {
      return { fault: `it says no ${name}, and there is no usual one` };
    }
  }
  const own = isSaid(said) ? said : usualValue;
  const written = pythonOf(own);
  const fault = misfit(name, own, value);
  if (written === undefined || fault !== undefined) {
    return { fault: fault ?? `its ${name} is no size` };
  }
  return { value: written };
}

/** Whether null says the same of a key as if it were missing. */
function isEmptyAs(name: string, usualValue: unknown): boolean {
  return (
    usualValue === null || typeof usualValue === "string" || isWithoutInfluence(name, 0, false)
  );
}

/** Whether the inputs of a program are rows of tokens, whose length is chosen. */
function hasRows(program: string): boolean {
  return /^B, S = /mu.test(program);
}

function withoutRows({ sequence: _, ...choice }: ImportChoice): Partial<ImportChoice> {
  return choice;
}

/** The line of the input sizes with those that were chosen. */
function inputLine(line: string, { batch, sequence }: ImportChoice): string {
  return line.startsWith("B, S") ? `B, S = ${batch}, ${sequence}` : `B = ${batch}`;
}

/** Most that one size may be: an index of more than that is no tensor of a model. */
const largestSize = 2 ** 31;

/** Why a value cannot stand where the text has another one, `written` so: 1.0 is no whole number. */
function misfit(name: string, value: unknown, written: string): string | undefined {
  const usual = literalOf(written)?.value;
  const isWhole = Number.isInteger(usual) && /^-?\d+$/u.test(written);
  const isNumber = typeof value === "number";
  if (typeof usual === "number" && !isNumber) return `its ${name} is no number`;
  if (typeof usual === "boolean" && typeof value !== "boolean") return `its ${name} is no truth`;
  if (typeof usual === "string" && typeof value !== "string") return `its ${name} is no text`;
  // The number of a word may be -1: no word.
  const isSize = isWhole && Number(usual) >= 0 && !name.endsWith("_id");
  if (isNumber && isSize && value < 0) return `its ${name} is ${value}`;
  if (isNumber && isWhole && !Number.isInteger(value)) {
    return `its ${name} is ${value}, which is no whole number`;
  }
  return isNumber && Math.abs(value) > largestSize ? `its ${name} is ${value}` : undefined;
}

const dtypes: Readonly<Record<string, readonly [string, string]>> = {
  bfloat16: ["bf16", "torch.bfloat16"],
  float16: ["f16", "torch.float16"],
  float32: ["f32", "torch.float32"],
};

/** The text in the type of the configuration's weights, where the text is in bfloat16. */
function withDtype(text: string, config: Config): string {
  const said = config.dtype ?? config.torch_dtype;
  const own = typeof said === "string" ? dtypes[said.replace(/^torch\./u, "")] : undefined;
  if (own === undefined) return text;
  return text.replaceAll(/"bf(?:loat)?16"/gu, `"${own[0]}"`).replaceAll("torch.bfloat16", own[1]);
}
