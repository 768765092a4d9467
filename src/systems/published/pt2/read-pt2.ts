import { type Checked, capitalized, passed } from "#core/diagnostics";
import type { ImportChoice, PublishedFile, PublishedProgram } from "../format.ts";
import { nameFor, type TakenNames, takenNames } from "../program-names.ts";
import { notModelled, oneLine, refused, unknownOperators } from "../refused.ts";
import { ArchiveFault, programIn } from "./archive.ts";
import { atenText, isCheck, pt2Types } from "./aten.ts";
import {
  type Pt2Argument,
  type Pt2Input,
  type Pt2Node,
  type Pt2Program,
  type Pt2Tensor,
  pt2Program,
} from "./schema.ts";

/**
 * Reads a program written by `torch.export.save`: one line per operator, with PyTorch's names. Open
 * sizes become names with a size. An operator without an equivalent becomes a registered function
 * with the file's shapes, whose dims cannot be cut.
 */
export function readPt2(
  file: PublishedFile,
  choice: Partial<ImportChoice>,
  tell: (operators: number) => void = () => {},
): Checked<PublishedProgram> {
  try {
    const text = file.decode(programIn(file.bytes));
    if (text === undefined) return refused(file.name, "its program is no text");
    return passed(programOf(file.name, pt2Program(text), choice, tell));
  } catch (fault) {
    if (fault instanceof ArchiveFault) return refused(file.name, fault.message);
    throw fault;
  }
}

interface Writing {
  readonly program: Pt2Program;
  readonly lines: string[];
  readonly functions: string[];
  /** Program texts of values by the file's names. */
  readonly names: Map<string, string>;
  readonly taken: TakenNames;
  /** Names and sizes of symbols, by the file's symbols. */
  readonly symbols: Map<string, OpenSize>;
  readonly unknown: Map<string, number>;
  readonly left: Set<string>;
}

interface OpenSize {
  readonly name: string;
  readonly size: number;
}

function programOf(
  file: string,
  program: Pt2Program,
  { batch = 1, sequence = 128, isTraining = false }: Partial<ImportChoice>,
  tell: (operators: number) => void,
): PublishedProgram {
  const writing: Writing = {
    ...{ program, lines: [], functions: [], names: new Map(), taken: takenNames() },
    ...{ symbols: new Map(), unknown: new Map(), left: new Set() },
  };
  const sizes = openSizes(writing, { batch, sequence });
  for (const each of program.inputs) writeInput(writing, each);
  for (const [at, node] of program.nodes.entries()) {
    writeNode(writing, node);
    tell(at + 1);
  }
  const results = program.outputs.map((name) => writing.names.get(name) ?? "unknown");
  const training = isTraining ? ["a training step: an exported program names no loss"] : [];
  const notes = [
    ...unknownOperators(writing.unknown),
    ...notModelled([...writing.left, ...training]),
  ];
  const title = oneLine(file.replace(/\.pt2$/iu, "")) || "model";
  const lines = [
    `# ${title}: exported by PyTorch ${oneLine(program.torch)}, read from ${oneLine(file)}.`,
    ...notes.map(({ message }) => `# ${capitalized(message)}.`),
    `# Results: ${results.join(", ")}`,
    ...["import torch", "import torch.nn.functional as F", "", ...sizes.lines],
    ...writing.functions,
    ...writing.lines,
  ];
  const weights = program.inputs.filter(({ kind }) => kind === "parameter");
  const parameters = weights.reduce((sum, { value }) => sum + countOf(program, value), 0);
  return {
    ...{ format: "PyTorch export", title, program: `${lines.join("\n")}\n`, parameters, notes },
    sentence: `${title}: ${program.nodes.length} operators of PyTorch and ${weights.length} parameters.`,
    ...(sizes.lines.length > 0 && { choice: sizes.chosen }),
  };
}

function countOf({ tensors }: Pt2Program, name: string): number {
  return (tensors.get(name)?.sizes ?? []).reduce((product, { example }) => product * example, 1);
}

/**
 * Names for the symbolic sizes of the inputs, with the chosen sizes: the first dim of an input is
 * the batch.
 */
function openSizes(
  writing: Writing,
  { batch, sequence }: { readonly batch: number; readonly sequence: number },
) {
  const { program, symbols } = writing;
  const lines: string[] = [];
  const chosen: { batch?: number; sequence?: number } = {};
  for (const { kind: use, value } of program.inputs) {
    if (use !== "input") continue;
    for (const [at, { text }] of (program.tensors.get(value)?.sizes ?? []).entries()) {
      for (const [symbol] of text.matchAll(/[A-Za-z_]\w*/gu)) {
        if (symbols.has(symbol)) continue;
        const kind = at === 0 ? "batch" : "sequence";
        const size = at === 0 ? batch : sequence;
        chosen[kind] = size;
        const name = nameFor(writing.taken, kind);
        symbols.set(symbol, { name, size });
        lines.push(`${name} = ${size}`);
      }
    }
  }
  return { chosen, lines: lines.length === 0 ? [] : [...lines, ""] };
}

/**
 * A size as an expression of symbols; `undefined` unless it is a sum or product of known symbols.
 */
function sizeText({ symbols }: Writing, text: string): string | undefined {
  if (!/^[\w\s+*/()-]+$/u.test(text)) return undefined;
  let isKnown = true;
  const written = text.replaceAll(/[A-Za-z_]\w*/gu, (symbol) => {
    const known = symbols.get(symbol);
    isKnown &&= known !== undefined;
    return known?.name ?? symbol;
  });
  return isKnown ? written : undefined;
}

function shapeText(writing: Writing, tensor: Pt2Tensor): string {
  const sizes = tensor.sizes.map(({ text, example }) => sizeText(writing, text) ?? String(example));
  return sizes.length === 1 ? `(${sizes[0]},)` : `(${sizes.join(", ")})`;
}

function writeInput(writing: Writing, { kind, value, name }: Pt2Input): void {
  const tensor = writing.program.tensors.get(value);
  if (tensor === undefined) throw new ArchiveFault(`its ${oneLine(name)} has no shape`);
  const own = nameFor(writing.taken, name);
  const dtype = pt2Types[tensor.dtype]?.[0];
  if (dtype === undefined) writing.left.add(`the type of ${oneLine(name)}`);
  const word = kind === "parameter" ? "Parameter" : "Tensor";
  const said = kind === "constant" ? "  # a constant of the file" : "";
  const type = dtype === undefined ? "" : `, "${dtype}"`;
  writing.lines.push(`${own} = ${word}(${shapeText(writing, tensor)}${type})${said}`);
  writing.names.set(value, own);
}

function writeNode(writing: Writing, node: Pt2Node): void {
  if (isCheck(node)) return;
  const made = isReadable(writing, node)
    ? atenText({ node, text: (each) => argumentText(writing, each) })
    : undefined;
  const results = resultsOf(node);
  if (made === undefined) {
    opaque(writing, node, results);
    return;
  }
  const [only] = results;
  if (results.length === 1 && only !== undefined && /^\w+$/u.test(made)) {
    writing.names.set(only, made);
    return;
  }
  const names = results.map((name) => nameFor(writing.taken, name));
  for (const [at, name] of results.entries()) writing.names.set(name, names[at] ?? "");
  const isList = node.outputs[0]?.kind === "tensors" && names.length === 1;
  writing.lines.push(`${names.join(", ")}${isList ? "," : ""} = ${made}`);
}

/** Names of an operator's results: tensors, and sizes that it computes. */
function resultsOf({ outputs }: Pt2Node): readonly string[] {
  return outputs.flatMap((each) => {
    if (each.kind === "tensors") return each.names.filter((name) => name !== undefined);
    return each.kind === "tensor" || each.kind === "size" ? [each.name] : [];
  });
}

/** Whether all arguments of an operator have a program text. */
function isReadable({ names }: Writing, { inputs }: Pt2Node): boolean {
  const isKnown = (argument: Pt2Argument): boolean => {
    switch (argument.kind) {
      case "tensor":
      case "size":
        return names.has(argument.name);
      case "tensors":
        return argument.names.every((name) => name === undefined || names.has(name));
      case "list":
        return argument.items.every(isKnown);
      case "dtype":
        return pt2Types[argument.value] !== undefined;
      default:
        return true;
    }
  };
  return inputs.every(({ arg }) => isKnown(arg));
}

function argumentText(writing: Writing, argument: Pt2Argument): string {
  switch (argument.kind) {
    case "tensor":
    case "size":
      return writing.names.get(argument.name) ?? "unknown";
    case "tensors":
      return `[${argument.names.map((name) => writing.names.get(name ?? "") ?? "None").join(", ")}]`;
    case "list":
      return `[${argument.items.map((each) => argumentText(writing, each)).join(", ")}]`;
    case "number":
      return numberText(argument.value, argument.isFloat);
    case "truth":
      return argument.value ? "True" : "False";
    case "text":
      return JSON.stringify(oneLine(argument.value));
    case "dtype":
      return `torch.${pt2Types[argument.value]?.[1] ?? "float32"}`;
    case "none":
    case "other":
      return "None";
  }
}

function numberText(value: number, isFloat: boolean): string {
  if (Number.isNaN(value)) return 'float("nan")';
  if (!Number.isFinite(value)) return value > 0 ? 'float("inf")' : 'float("-inf")';
  const text = String(value);
  return isFloat && /^-?\d+$/u.test(text) ? `${text}.0` : text;
}

/**
 * Writes an unsupported operator as a registered function, with the shapes of the file's example.
 */
function opaque(writing: Writing, { target, inputs }: Pt2Node, results: readonly string[]): void {
  const word = target.replace(/^torch\.ops\./u, "");
  writing.unknown.set(word, (writing.unknown.get(word) ?? 0) + 1);
  const { tensors } = writing.program;
  const made = results.filter((name) => tensors.has(name));
  if (made.length === 0) return;
  const given = inputs
    .flatMap(({ arg }) => tensorsIn(arg))
    .filter((name) => writing.names.has(name));
  const frozen = (name: string) => {
    const sizes = tensors.get(name)?.sizes.map((each) => sizeOf(writing, each)) ?? [];
    return sizes.length === 0 ? "1^" : sizes.map((size) => `${size}^`).join(" ");
  };
  const reads = given.length === 0 ? ["1^"] : given.map(frozen);
  const called = nameFor(writing.taken, word.split(".")[1] ?? word);
  writing.functions.push(
    `# ${oneLine(word)}: no operator here stands for it, so nothing of it is cut.`,
    `# annotation: ${reads.join(", ")} -> ${made.map(frozen).join(", ")}`,
    `def ${called}(${reads.map((_, at) => `x${at}`).join(", ")}):`,
    "    ...",
    "",
  );
  const names = made.map((name) => nameFor(writing.taken, name));
  const texts =
    given.length === 0 ? ["torch.full((1,), 0.0)"] : given.map((name) => writing.names.get(name));
  writing.lines.push(`${names.join(", ")} = ${called}(${texts.join(", ")})`);
  // A registered function returns the dtype of its first operand, and at least one dim.
  const own = tensors.get(given[0] ?? "")?.dtype ?? 7;
  for (const [at, name] of made.entries()) {
    const { dtype, sizes } = tensors.get(name) ?? { dtype: own, sizes: [] };
    const word = dtype === own ? undefined : pt2Types[dtype]?.[1];
    const more = `${sizes.length === 0 ? ".squeeze()" : ""}${word === undefined ? "" : `.to(torch.${word})`}`;
    const text = more === "" ? (names[at] ?? "") : nameFor(writing.taken, name);
    if (more !== "") writing.lines.push(`${text} = ${names[at]}${more}`);
    writing.names.set(name, text);
  }
}

function tensorsIn(argument: Pt2Argument): readonly string[] {
  if (argument.kind === "tensor") return [argument.name];
  return argument.kind === "tensors" ? argument.names.filter((name) => name !== undefined) : [];
}

/** A size as a number, with the chosen sizes of symbols. */
function sizeOf(
  { symbols }: Writing,
  { text, example }: { readonly text: string; readonly example: number },
): number {
  if (/^\d+$/u.test(text)) return Number(text);
  const product = /^(?:(\d+)\*)?([A-Za-z_]\w*)$/u.exec(text.replaceAll(" ", ""));
  const known = symbols.get(product?.[2] ?? "");
  return known === undefined ? example : Number(product?.[1] ?? 1) * known.size;
}
