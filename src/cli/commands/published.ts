import { closeSync, fstatSync, openSync } from "node:fs";
import { resolve } from "node:path";
import { type Checked, type Diagnostic, failed, passed } from "#core/diagnostics";
import { headerLength, prefixBytes, readHeader } from "#execute/weights";
import {
  headLength,
  type ImportChoice,
  type NamedTensor,
  type PublishedFile,
  type PublishedProgram,
  publishedFormatOf,
  publishedFormats,
  type ReadPublished,
} from "#systems/published";
import { type Arguments, badRequest } from "./answer.ts";
import { bytesOf } from "./weights-file.ts";

/** All readers, loaded at start: a published text is read within the time of a request. */
const readers: ReadonlyMap<string, ReadPublished> = new Map(
  await Promise.all(publishedFormats.map(async ({ name, load }) => [name, await load()] as const)),
);

/** Most bytes of a file that is read as a whole. */
const mostBytes = 256 * 1024 * 1024;

/** Extensions of binary files, whose name is passed on instead of their text. */
export const binaryEndings = /\.(?:safetensors|onnx|pt2|json\.gz)$/iu;

/** The published file of a request, read; `undefined` for an ordinary program. */
export function publishedOf(args: Arguments): Checked<PublishedProgram> | undefined {
  const { file: path, program } = args;
  const file = typeof path === "string" ? fileAt(path) : fileOfText(program);
  if (file === undefined) return undefined;
  if (!file.ok) return file;
  const head = file.value.decode(file.value.bytes.subarray(0, headLength)) ?? "";
  const format = publishedFormatOf(file.value.name, head);
  const read = format && readers.get(format.name);
  if (read === undefined) {
    if (typeof path !== "string") return undefined;
    return failed(...badRequest(`no reader knows the file "${path}"`).diagnostics);
  }
  const choice = choiceOf(args);
  return choice.ok ? read(file.value, choice.value) : choice;
}

function fileOfText(program: unknown): Checked<PublishedFile> | undefined {
  if (typeof program !== "string") return undefined;
  if (publishedFormatOf("", program.slice(0, headLength)) === undefined) return undefined;
  const bytes = Buffer.from(program);
  return passed({ name: "the text", bytes, size: bytes.length, decode });
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // The head of a longer text may end in the middle of a character.
    const text = Buffer.from(bytes).toString("utf8");
    return text.slice(0, -1).includes("\ufffd") ? undefined : text.replace(/\ufffd$/u, "");
  }
}

function fileAt(path: string): Checked<PublishedFile> {
  let file: number;
  try {
    file = openSync(resolve(process.env.INIT_CWD ?? process.cwd(), path), "r");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    return refused(`cannot read the file "${path}"${code}`);
  }
  try {
    const { size } = fstatSync(file);
    const name = path.split(/[\\/]/).at(-1) ?? path;
    if (/\.safetensors$/iu.test(name)) {
      const tensors = tensorsIn(file, size);
      if (!tensors.ok) return tensors;
      return passed({ name, size, bytes: new Uint8Array(), tensors: tensors.value, decode });
    }
    if (size > mostBytes) return refused(`"${path}" is larger than 256 MiB`);
    return passed({ name, bytes: bytesOf(file, 0, size), size, decode });
  } finally {
    closeSync(file);
  }
}

/** Tensors in the header of a weights file; nothing after the header is read. */
function tensorsIn(file: number, size: number): Checked<readonly NamedTensor[]> {
  const length = headerLength(bytesOf(file, 0, Math.min(size, prefixBytes)).buffer, size);
  if (!length.ok) return length;
  const start = prefixBytes + length.value;
  const header = Buffer.from(bytesOf(file, prefixBytes, start)).toString("utf8");
  return readHeader(header, start, size);
}

/** The request's choices for parts that a file leaves open. */
function choiceOf({ batch, sequence, training }: Arguments): Checked<Partial<ImportChoice>> {
  for (const [name, size] of Object.entries({ batch, sequence })) {
    const isSize = typeof size === "number" && Number.isSafeInteger(size) && size > 0;
    if (size !== undefined && !isSize) return refused(`"${name}" must be a whole number from 1 on`);
  }
  if (training !== undefined && typeof training !== "boolean") {
    return refused('"training" must be true or false');
  }
  return passed({
    ...(typeof batch === "number" && { batch }),
    ...(typeof sequence === "number" && { sequence }),
    ...(training === true && { isTraining: true }),
  });
}

function refused(message: string): Checked<never> {
  return failed(...badRequest(message).diagnostics);
}

/** A request whose published file was replaced by its program, with notes on the conversion. */
export interface PreparedRequest {
  readonly args: Arguments;
  readonly notes: readonly Diagnostic[];
}

const prepared = new WeakMap<Arguments, Checked<PreparedRequest>>();

/** Replaces a request's published file by its program; computed once per request. */
export function prepareRequest(args: Arguments): Checked<PreparedRequest> {
  const known = prepared.get(args) ?? preparedOf(args);
  prepared.set(args, known);
  return known;
}

function preparedOf(args: Arguments): Checked<PreparedRequest> {
  const read = publishedOf(args);
  if (read === undefined) return passed({ args, notes: [] });
  if (!read.ok) return read;
  const { program, notes, sentence } = read.value;
  if (program === undefined) return refused(sentence);
  const { file: _file, batch: _batch, sequence: _sequence, training: _training, ...rest } = args;
  return passed({ args: { ...rest, program }, notes });
}
