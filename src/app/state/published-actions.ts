import type { Reply } from "#app/engine";
import { freshText } from "#app/texts";
import { type Checked, sentencesOf } from "#core/diagnostics";
import { parameterNumbers } from "#core/ir";
import type { PublishedProgram } from "#systems/published";
import { newestOf } from "./compiled-slice.ts";
import type { ChoiceChange, ReadFile } from "./published-slice.ts";
import type { PublishedReader, Services } from "./services.ts";
import type { AppStore } from "./store.ts";

/** A dropped file, or a pasted text. */
export interface GivenPublished {
  readonly name: string;
  readonly content: Blob;
}

/** Actions on files in published model formats. */
export interface PublishedActions {
  /**
   * Replaces the text by the program of a published file, as one edit. Resolves to false if no
   * reader knows the format.
   */
  readonly openPublished: (given: GivenPublished, how?: OpenHow) => Promise<boolean>;
  /** Regenerates the program with another batch, sequence or use, continuing the same edit. */
  readonly choosePublished: (change: ChoiceChange) => Promise<void>;
  /** Abandons the file being read; the text stays. */
  readonly stopReading: () => void;
}

interface OpenHow {
  /** Whether the editor already has the file's own text, from the last edit. */
  readonly isInText?: boolean;
  /** Whether the file is compared with the present program instead of replacing it. */
  readonly isHeld?: boolean;
}

/** The actions of a store on published files, which a worker reads. */
export function createPublishedActions(store: AppStore, services: Services): PublishedActions {
  const { reader } = services;
  let wanted: { readonly file: ReadFile; readonly change: ChoiceChange } | undefined;
  const refuse = (text: string) => {
    store.getState().notePublished({ kind: "none" });
    store.getState().say({ kind: "refused", text });
  };
  return {
    openPublished: async ({ name, content }, { isInText = false, isHeld = false } = {}) => {
      const format = await formatOf(name, content);
      if (format === undefined || reader === undefined) return false;
      const file: ReadFile = { name, content, format };
      const made = await reading(store, reader, file);
      if (made === undefined) return true;
      if (typeof made === "string") refuse(made);
      else if (isHeld || made.program === undefined) hold(store, file, made);
      else show(store, services, { file, made, program: made.program, isInText });
      return true;
    },
    choosePublished: async (change) => {
      const { published } = store.getState();
      if (published.kind !== "read") return;
      const { file, made } = published;
      // A second choice may come while the first is being read; the first answer is then dropped.
      wanted = { file, change: { ...(wanted?.file === file && wanted.change), ...change } };
      const mine = wanted;
      const choice = { ...made.choice, ...mine.change };
      const next = reader && resultOf(await reader.read({ ...file, choice }));
      if (wanted !== mine) return;
      wanted = undefined;
      if (store.getState().published !== published || next === undefined) return;
      if (typeof next === "string") store.getState().say({ kind: "refused", text: next });
      else {
        store.getState().notePublished({ kind: "read", file, made: next });
        store.getState().amend(next.program ?? "", labelOf(next));
      }
    },
    stopReading: () => {
      const { published, notePublished, say } = store.getState();
      if (published.kind !== "reading") return;
      reader?.stop();
      notePublished({ kind: "none" });
      say({ kind: "said", text: `Reading "${published.name}" was stopped.` });
    },
  };
}

/** Reads a file and reports progress; `undefined` if another file came meanwhile. */
async function reading(
  store: AppStore,
  reader: PublishedReader,
  file: ReadFile,
): Promise<PublishedProgram | string | undefined> {
  const { name } = file;
  const { notePublished } = store.getState();
  notePublished({ kind: "reading", name, operators: 0 });
  let own = store.getState().published;
  const isOwn = () => store.getState().published === own;
  const reply = await reader.read({ ...file, choice: {} }, ({ operators }) => {
    if (!isOwn()) return;
    notePublished({ kind: "reading", name, operators });
    own = store.getState().published;
  });
  return isOwn() ? resultOf(reply) : undefined;
}

const partMissing = "A part of the program could not be loaded. Reload the page, then try again.";

/** The name of a file's format; `undefined` if it is unknown. */
async function formatOf(name: string, content: Blob): Promise<string | undefined> {
  const { headLength, publishedFormatOf } = await import("#systems/published");
  const head = new Uint8Array(await content.slice(0, headLength).arrayBuffer());
  const text = new TextDecoder().decode(head);
  const isText = !text.slice(0, -1).includes("\ufffd");
  return publishedFormatOf(name, isText ? text : "")?.name;
}

/**
 * The program made from a file, or the reason why there is none; `undefined` if the reply was
 * superseded.
 */
function resultOf(reply: Reply<Checked<PublishedProgram>>): PublishedProgram | string | undefined {
  switch (reply.kind) {
    case "done":
      return reply.value.ok ? reply.value.value : sentencesOf(reply.value.diagnostics);
    case "failed":
      return `${partMissing} (${reply.message})`;
    default:
      return undefined;
  }
}

interface Shown {
  readonly file: ReadFile;
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
    const shown = freshText(shelf, { kind: "file", name: made.title }, made.title);
    commitOther(program, labelOf(made), shown);
  }
  say({ kind: "said", text: `${made.sentence} ${sentencesOf(made.notes)}`.trimEnd() });
}

/**
 * Keeps the file for comparison with the present program; the differences are computed where they
 * are shown.
 */
function hold(store: AppStore, file: ReadFile, made: PublishedProgram): void {
  const { notePublished, say, compiled } = store.getState();
  const graph = newestOf(compiled)?.graph;
  const isThere = graph !== undefined && graph.tensors.length > 0;
  const isRun = made.collectives !== undefined || made.measured !== undefined;
  if (!isThere || (!isRun && parameterNumbers(graph) === 0)) {
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
