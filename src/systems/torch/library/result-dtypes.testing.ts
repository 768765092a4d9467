import { readFileSync } from "node:fs";
import { parseDType } from "#core/ir";
import { readDocument } from "#systems";

/** What PyTorch says of expressions, as `engines/record_result_dtypes.py` writes it down. */
interface Recorded {
  readonly shapes: Readonly<Record<string, readonly number[]>>;
  /** The dtypes of letters that do not vary. */
  readonly fixed: Readonly<Record<string, string>>;
  readonly tables: readonly DTypeTable[];
}

export interface DTypeTable {
  readonly autocast?: readonly [device: string, dtype: string];
  readonly dtypes: readonly string[];
  /** An expression, and a word for each choice of dtypes of its letters. */
  readonly rows: readonly (readonly [form: string, answers: string])[];
}

export const recorded: Recorded = JSON.parse(
  readFileSync("src/systems/torch/library/result-dtypes.json", "utf8"),
);

const numbers: Readonly<Record<string, string>> = { int: "2", float: "1.5", flag: "True" };
const names: Readonly<Record<string, string>> = {
  ...{ f32: "float32", bf16: "bfloat16", f16: "float16", f64: "float64" },
  ...{ i64: "int64", i32: "int32", u8: "uint8", bool: "bool" },
};

/** The letters of a form that vary, in order; a letter behind a dot or a quote is none. */
function lettersIn(form: string): readonly string[] {
  const words = [...form.matchAll(/(?<![\w.'])([a-z]+)\b(?![\w('])/g)].map(([, word = ""]) => word);
  const isVarying = (word: string) =>
    word === "n" || (word in recorded.shapes && !(word in recorded.fixed));
  return [...new Set(words)].filter(isVarying);
}

/** Every choice of dtypes, in the order of the table. */
function choices(letters: readonly string[], dtypes: readonly string[]) {
  const [first, second, ...rest] = letters;
  const of = (letter: string | undefined) =>
    letter === undefined ? [undefined] : letter === "n" ? Object.keys(numbers) : dtypes;
  return of(first).flatMap((one) =>
    of(second).map((two) => [one, two, ...rest.map(() => two)].slice(0, letters.length)),
  );
}

interface Line {
  readonly chosen: readonly (string | undefined)[];
  readonly text: string;
  readonly expected: string;
  readonly names: readonly string[];
}

/** The lines of a program that asks a form for every choice. */
function linesOf(form: string, answers: string, dtypes: readonly string[]): readonly Line[] {
  const letters = lettersIn(form);
  const expected = answers.split(" ");
  return choices(letters, dtypes).map((chosen, at): Line => {
    const answer = expected[at] ?? "!";
    const results = answer.split(",").map((_, result) => `r${at}_${result}`);
    const value = form.replace(/(?<![\w.'])([a-z]+)\b(?![\w('])/g, (word) => {
      if (word in recorded.fixed) return `${word}_fixed`;
      const dtype = chosen[letters.indexOf(word)];
      return dtype === undefined ? word : (numbers[dtype] ?? `${word}_${dtype}`);
    });
    return { chosen, text: `${results.join(", ")} = ${value}`, expected: answer, names: results };
  });
}

/** A program that asks a form for every choice, with its operands and in its context. */
function programOf(form: string, lines: readonly Line[], { autocast, dtypes }: DTypeTable): string {
  const { shapes, fixed } = recorded;
  const used = [...form.matchAll(/(?<![\w.'])([a-z]+)\b(?![\w('])/g)].map(([, word = ""]) => word);
  const made = [...new Set(used)].flatMap((letter) => {
    const shape = shapes[letter];
    if (shape === undefined) return [];
    const own = fixed[letter];
    return (own === undefined ? dtypes : [own]).map(
      (dtype) =>
        `${letter}_${own === undefined ? dtype : "fixed"} = torch.zeros(${JSON.stringify(shape)}, dtype=torch.${names[dtype]})`,
    );
  });
  const head = ["import torch", "from torch import nn", "import torch.nn.functional as F", ...made];
  const body = lines.map(({ text }) => text);
  if (autocast === undefined) return [...head, ...body].join("\n");
  const [device, dtype] = autocast;
  const opened = `with torch.autocast("${device}", dtype=torch.${names[dtype]}):`;
  return [...head, opened, ...body.map((line) => `    ${line}`)].join("\n");
}

/** The line with a copy of each result. */
function copiedIn({ names: results, text }: Line): string {
  const value = text.slice(text.indexOf(" = ") + 3);
  if (results.length === 1) return `${results[0]} = (${value}).clone()`;
  return `${results.join(", ")} = [each.clone() for each in ${value}]`;
}

/** What is read of a program: the dtypes of its tensors by name, and what is refused. */
interface Reading {
  readonly types: ReadonlyMap<string, string>;
  readonly refused: readonly string[];
}

/** Each program is read once, whatever is asked of it. */
const readings = new Map<string, Reading>();

function readingOf(program: string): Reading {
  const known = readings.get(program);
  if (known !== undefined) return known;
  const { graph, diagnostics } = readDocument(program);
  const refused = diagnostics.flatMap(({ severity, upstream, message }) =>
    severity === "error" || upstream === "RuntimeError" ? [message] : [],
  );
  const types = new Map(graph.tensors.map(({ name, dtype }) => [name, dtype]));
  readings.set(program, { types, refused });
  return { types, refused };
}

/** Where a form is read with other dtypes than PyTorch gives. */
export function wrongOf(row: readonly [string, string], table: DTypeTable): readonly string[] {
  const [form, answers] = row;
  const lines = linesOf(form, answers, table.dtypes).filter(({ expected }) => expected !== "!");
  const types = new Map(readingOf(programOf(form, lines, table)).types);
  // What only passes its operand on has no tensor of its own to bear a name.
  const passed = lines.filter(({ names: [name = ""] }) => !types.has(name));
  const copied = passed.map((line) => ({ ...line, text: copiedIn(line) }));
  for (const [name, dtype] of copied.length > 0
    ? readingOf(programOf(form, copied, table)).types
    : [])
    types.set(name, dtype);
  return lines.flatMap(({ chosen, text, expected, names: results }) => {
    const said = results.map((name) => types.get(name));
    const isRight = expected.split(",").every((each, at) => said[at] === parseDType(each));
    return isRight
      ? []
      : [`${text.split(" = ")[1]} of ${chosen.join(" ")}: ${said}, torch ${expected}`];
  });
}

/** What PyTorch refuses of a form and nothing is said of here, as the choices of its dtypes. */
export function silentOf(row: readonly [string, string], table: DTypeTable): readonly string[] {
  const [form, answers] = row;
  const lines = linesOf(form, answers, table.dtypes);
  const program = programOf(form, lines, table);
  const { diagnostics } = readDocument(program);
  const said = new Set(
    diagnostics
      .filter(({ severity, upstream }) => severity === "error" || upstream !== undefined)
      .flatMap(({ span }) =>
        span === undefined ? [] : [program.slice(0, span.from).split("\n").length],
      ),
  );
  const first = program.split("\n").length - lines.length + 1;
  return lines.flatMap(({ chosen, expected }, at) =>
    expected === "!" && !said.has(first + at) ? [chosen.join(" ")] : [],
  );
}

/** What PyTorch does not refuse of a form and is said to be refused, as the choices of its dtypes. */
export function falselyRefused(
  row: readonly [string, string],
  table: DTypeTable,
): readonly string[] {
  const [form, answers] = row;
  const lines = linesOf(form, answers, table.dtypes).filter(({ expected }) => expected !== "!");
  if (lines.length === 0) return [];
  return readingOf(programOf(form, lines, table)).refused;
}
