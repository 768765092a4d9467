import { freshText } from "#app/texts";
import type { Checked } from "#core/diagnostics";
import { parameterNumbers } from "#core/ir";
import type {
  NamedTensor,
  PublishedFile,
  PublishedFormat,
  PublishedProgram,
} from "#systems/published";
import { newestOf } from "./compiled-slice.ts";
import type { ChoiceChange } from "./published-slice.ts";
import type { Services } from "./services.ts";
import type { AppStore } from "./store.ts";

/** A file that was dropped, or a text that was pasted. */
export interface GivenPublished {
  readonly name: string;
  readonly content: Blob;
}

/** What is done with files as others publish them. */
export interface PublishedActions {
  /**
   * Puts the program of a published file in place of the text: one edit. False where no reader
   * knows the file.
   */
  readonly openPublished: (given: GivenPublished, how?: OpenHow) => Promise<boolean>;
  /** Writes the program anew with another batch, sequence or use; the same edit goes on. */
  readonly choosePublished: (change: ChoiceChange) => Promise<void>;
}

interface OpenHow {
  /** Whether the file's own text stands in the editor already, by the last edit. */
  readonly isInText?: boolean;
  /** Whether its weights are held against the program that is there. */
  readonly isHeld?: boolean;
}

/** Most bytes of a file that the page reads as a whole. */
const mostBytes = 256 * 1024 * 1024;

/** The actions of a store on published files; their readers are loaded when one comes. */
export function createPublishedActions(store: AppStore, services: Services): PublishedActions {
  const refuse = (text: string) => {
    store.getState().notePublished({ kind: "none" });
    store.getState().say({ kind: "refused", text });
  };
  return {
    openPublished: async ({ name, content }, { isInText = false, isHeld = false } = {}) => {
      const format = await formatOf(name, content);
      if (format === undefined) return false;
      store.getState().notePublished({ kind: "reading", name });
      const file = await fileOf(name, content);
      if (typeof file === "string") {
        refuse(file);
        return true;
      }
      const made = await madeOf(format, file, {}).catch(() => partMissing);
      if (typeof made === "string") refuse(made);
      else if (isHeld || made.program === undefined) hold(store, file, made);
      else show(store, services, { file, made, program: made.program, isInText });
      return true;
    },
    choosePublished: async (change) => {
      const { published } = store.getState();
      if (published.kind !== "read") return;
      const { file, made } = published;
      const format = await formatOf(file.name, new Blob([file.bytes.slice().buffer]));
      if (format === undefined) return;
      const choice = { ...made.choice, ...change };
      const next = await madeOf(format, file, choice).catch(() => partMissing);
      if (store.getState().published !== published) return;
      if (typeof next === "string") store.getState().say({ kind: "refused", text: next });
      else {
        store.getState().notePublished({ kind: "read", file, made: next });
        store.getState().amend(next.program ?? "", labelOf(next));
      }
    },
  };
}

const partMissing = "A part of the program could not be loaded. Reload the page, then try again.";

async function formatOf(name: string, content: Blob): Promise<PublishedFormat | undefined> {
  const { headLength, publishedFormatOf } = await import("#systems/published");
  const head = new Uint8Array(await content.slice(0, headLength).arrayBuffer());
  return publishedFormatOf(name, decode(head) ?? "");
}

async function fileOf(name: string, content: Blob): Promise<PublishedFile | string> {
  const { size } = content;
  if (/\.safetensors$/iu.test(name)) {
    const tensors = await tensorsOf(content);
    if (!tensors.ok) return sentenceOf(tensors.diagnostics);
    return { name, size, bytes: new Uint8Array(), tensors: tensors.value, decode };
  }
  if (size > mostBytes) return `"${name}" is larger than 256 MiB.`;
  return { name, size, bytes: new Uint8Array(await content.arrayBuffer()), decode };
}

/** What the header of a file with weights says; no more of the file is read. */
async function tensorsOf(content: Blob): Promise<Checked<readonly NamedTensor[]>> {
  const { headerLength, prefixBytes, readHeader } = await import("#execute/weights");
  const length = headerLength(await content.slice(0, prefixBytes).arrayBuffer(), content.size);
  if (!length.ok) return length;
  const start = prefixBytes + length.value;
  return readHeader(await content.slice(prefixBytes, start).text(), start, content.size);
}

async function madeOf(
  format: PublishedFormat,
  file: PublishedFile,
  choice: ChoiceChange,
): Promise<PublishedProgram | string> {
  const read = await format.load();
  const made = read(file, choice);
  return made.ok ? made.value : sentenceOf(made.diagnostics);
}

function sentenceOf(diagnostics: readonly { readonly message: string }[]): string {
  return diagnostics.map(({ message }) => `${message}.`).join(" ");
}

/** Text of bytes; of the head of a longer text, which may end inside a character, without its end. */
function decode(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  return text.slice(0, -1).includes("\ufffd") ? undefined : text.replace(/\ufffd$/u, "");
}

interface Shown {
  readonly file: PublishedFile;
  readonly made: PublishedProgram;
  readonly program: string;
  readonly isInText: boolean;
}

function show(
  store: AppStore,
  { shelf }: Services,
  { file, made, program, isInText }: Shown,
): void {
  const { amend, commitOther, endWelcome, notePublished, refuse, say } = store.getState();
  notePublished({ kind: "read", file, made });
  endWelcome();
  refuse(undefined);
  if (isInText) amend(program, labelOf(made));
  else {
    const shown = freshText(shelf, { kind: "file", name: file.name }, made.title);
    commitOther(program, labelOf(made), shown);
  }
  const notes = made.notes.map(({ message }) => ` ${message}.`).join("");
  say({ kind: "said", text: `${made.sentence}${notes}` });
}

/** Weights beside the program that is there; what differs is worked out where it is shown. */
function hold(store: AppStore, file: PublishedFile, made: PublishedProgram): void {
  const { notePublished, say, compiled } = store.getState();
  const graph = newestOf(compiled)?.graph;
  const isThere = graph !== undefined && graph.tensors.length > 0;
  if (!isThere || (made.collectives === undefined && parameterNumbers(graph) === 0)) {
    const why = "Here is no program to hold it against: open the model first.";
    notePublished({ kind: "none" });
    say({ kind: "refused", text: `${made.sentence} ${why}` });
    return;
  }
  const { program: _, ...rest } = made;
  notePublished({ kind: "read", file, made: rest });
  say({ kind: "said", text: made.sentence });
}

function labelOf({ title }: PublishedProgram): string {
  return `Open ${title}`;
}
