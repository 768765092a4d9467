import { type Checked, failed } from "#core/diagnostics";
import { headerLength, prefixBytes, readHeader } from "#execute/weights";
import {
  type ImportChoice,
  type NamedTensor,
  type PublishedFile,
  type PublishedProgram,
  publishedFormats,
} from "#systems/published";

/** Questions to the worker that reads published files. */
export interface PublishedQuestions {
  read: { takes: AskedFile; gives: Checked<PublishedProgram>; tells: ReadingNews };
}

/** File to read, the name of its format, and the reader's choices for what the file leaves open. */
export interface AskedFile {
  readonly name: string;
  readonly content: Blob;
  readonly format: string;
  readonly choice: Partial<ImportChoice>;
}

/** Progress of reading: number of operators written. */
export interface ReadingNews {
  readonly operators: number;
}

/** Size limit of a file that is loaded as a whole, in bytes. */
const mostBytes = 256 * 1024 * 1024;

/** Number of operators between two news messages. */
const newsEvery = 2_000;

/** Reads a published file; if it cannot be read, the diagnostics give the reason. */
export async function readPublished(
  { name, content, format, choice }: AskedFile,
  tell: (news: ReadingNews) => void = () => {},
): Promise<Checked<PublishedProgram>> {
  const known = publishedFormats.find((each) => each.name === format);
  if (known === undefined) throw new Error(`no reader is called ${format}`);
  const [file, read] = await Promise.all([fileOf(name, content), known.load()]);
  if (!file.ok) return file;
  let said = 0;
  return read(file.value, choice, (operators) => {
    if (operators < said + newsEvery) return;
    said = operators;
    tell({ operators });
  });
}

async function fileOf(name: string, content: Blob): Promise<Checked<PublishedFile>> {
  const { size } = content;
  if (/\.safetensors$/iu.test(name)) {
    const tensors = await tensorsOf(content);
    if (!tensors.ok) return tensors;
    const value = {
      name,
      size,
      bytes: new Uint8Array(),
      tensors: tensors.value,
      decode: decodeText,
    };
    return { ok: true, value, diagnostics: [] };
  }
  if (size > mostBytes) {
    const message = `"${name}" is larger than 256 MiB`;
    return failed({ code: "published/refused", severity: "error", message });
  }
  const bytes = new Uint8Array(await content.arrayBuffer());
  return { ok: true, value: { name, size, bytes, decode: decodeText }, diagnostics: [] };
}

/** Tensors listed in the header of a weights file; the rest of the file is not read. */
async function tensorsOf(content: Blob): Promise<Checked<readonly NamedTensor[]>> {
  const length = headerLength(await content.slice(0, prefixBytes).arrayBuffer(), content.size);
  if (!length.ok) return length;
  const start = prefixBytes + length.value;
  return readHeader(await content.slice(prefixBytes, start).text(), start, content.size);
}

/**
 * Bytes decoded as UTF-8; `undefined` if they are no text. An incomplete character at the end is
 * dropped, as bytes may be the head of a longer text.
 */
function decodeText(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  return text.slice(0, -1).includes("\ufffd") ? undefined : text.replace(/\ufffd$/u, "");
}
