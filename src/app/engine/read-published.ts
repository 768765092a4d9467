import { type Checked, failed } from "#core/diagnostics";
import { headerLength, prefixBytes, readHeader } from "#execute/weights";
import {
  type ImportChoice,
  type NamedTensor,
  type PublishedFile,
  type PublishedProgram,
  publishedFormats,
} from "#systems/published";

/** The questions to the worker that reads published files. */
export interface PublishedQuestions {
  read: { takes: AskedFile; gives: Checked<PublishedProgram>; tells: ReadingNews };
}

/** A file, the name of its format, and the reader's choices where the file leaves options. */
export interface AskedFile {
  readonly name: string;
  readonly content: Blob;
  readonly format: string;
  readonly choice: Partial<ImportChoice>;
}

/** How far the reading is: operators that are written. */
export interface ReadingNews {
  readonly operators: number;
}

/** Most bytes of a file that is read as a whole. */
const mostBytes = 256 * 1024 * 1024;

/** News come after so many more operators. */
const newsEvery = 2_000;

/** Reads a published file; a file that its reader cannot read is refused with the reason. */
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

/** The tensors in the header of a file with weights; no more of the file is read. */
async function tensorsOf(content: Blob): Promise<Checked<readonly NamedTensor[]>> {
  const length = headerLength(await content.slice(0, prefixBytes).arrayBuffer(), content.size);
  if (!length.ok) return length;
  const start = prefixBytes + length.value;
  return readHeader(await content.slice(prefixBytes, start).text(), start, content.size);
}

/** Text of bytes; of the head of a longer text, which may end inside a character, without its end. */
function decodeText(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  return text.slice(0, -1).includes("\ufffd") ? undefined : text.replace(/\ufffd$/u, "");
}
