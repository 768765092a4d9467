import type { AssistReply, AssistRequest } from "#app/assist";
import { examples, exampleText, exampleWithText } from "#app/examples";
import { readFile } from "#app/share";
import { applyEdits, type Fix } from "#core/diagnostics";
import { joinTexts, splitTexts } from "#language/texts";
import { newestOf } from "./compiled-slice.ts";
import { readDraft, readSetAside, setAside, writeDraft } from "./drafts.ts";
import { lookAs } from "./look-as.ts";
import { openingOf, ownOpening } from "./opening.ts";
import type { Services } from "./services.ts";
import type { AppStore } from "./store.ts";

/** What menus and buttons do beyond one slice. */
export interface Actions {
  /** Puts an example in place of the text: one edit, and a draft of one's own is kept aside. */
  readonly openExample: (name: string) => void;
  /** Leaves a shared plan, or a link that was refused, for the reader's own draft. */
  readonly openDraft: () => void;
  /** Brings back a text that something else took the place of, by its place in the list. */
  readonly openSetAside: (index: number) => void;
  /** Makes the shared plan on screen the reader's draft. */
  readonly keepAsDraft: () => void;
  readonly hasDraft: () => boolean;
  /** Names of the texts that were set aside, the newest first. */
  readonly setAside: () => readonly string[];
  /** Reads an address that the reader has gone to. */
  readonly follow: (address: string) => void;
  /** Opens the plan that a picture carries, or a text file, beside the draft. */
  readonly openFile: (bytes: Uint8Array) => void;
  /** Opens a text that was pasted on the page, beside the draft. */
  readonly openText: (text: string) => void;
  /** The program as LoomGraph JSON, as whole operations or with their shards; says what is lost. */
  readonly writeLoom: (dialect: "op" | "app") => Promise<string | undefined>;
  /** Turns the program into a LoomGraph with a plan beside it: one edit. */
  readonly becomeLoom: () => Promise<void>;
  /** Works the text out once more, after a fault of ours or when it was stopped. */
  readonly tryAgain: () => void;
  /** Stops what is under way; the text stays, and so does the last picture. */
  readonly stopWork: () => void;
  readonly applyFix: (fix: Fix) => void;
  /** Asks about the text as it is; nothing where a newer question or another text came before. */
  readonly assist: (request: AssistRequest) => Promise<AssistReply | undefined>;
  /** Renames what stands at an offset, as one edit; gives back why not. */
  readonly rename: (offset: number, name: string) => Promise<string | undefined>;
  /** Renames a mesh axis wherever the text means it, as one edit; gives back why not. */
  readonly renameAxis: (axis: string, name: string) => Promise<string | undefined>;
}

/** The actions of a store. */
export function createActions(store: AppStore, services: Services): Actions {
  const { keep } = services;
  return {
    openExample: (name) => openExample(store, services, name),
    openDraft: () => {
      store.getState().refuse(undefined);
      if (store.getState().document.origin.kind === "draft") return;
      const own = ownOpening(keep);
      store.getState().openDocument(own.source, own.origin);
    },
    openSetAside: (index) => {
      const wanted = readSetAside(keep)[index];
      if (wanted === undefined) return;
      setDraftAside(store, services);
      store.getState().openDocument(wanted, { kind: "draft" });
      writeDraft(keep, wanted);
    },
    keepAsDraft: () => {
      setDraftAside(store, services);
      const { source } = store.getState().document;
      writeDraft(keep, source);
      store.getState().openDocument(source, { kind: "draft" });
    },
    hasDraft: () => readDraft(keep) !== undefined,
    setAside: () => readSetAside(keep).map(nameOf),
    follow: (address) => {
      const opening = openingOf(address, keep);
      store.getState().refuse(opening.refusal);
      if (opening.refusal === undefined && opening.origin.kind === "link") {
        store.getState().openDocument(opening.source, opening.origin);
        lookAs(store, opening);
      }
    },
    openFile: (bytes) => openFile(store, services, bytes),
    openText: (text) => openFile(store, services, new TextEncoder().encode(text)),
    writeLoom: async (dialect) => (await loomOf(store, services, dialect))?.text,
    becomeLoom: async () => {
      const loom = await loomOf(store, services, "op");
      if (loom === undefined) return;
      store.getState().commit(joinTexts(loom.text, loom.planText), "Make it a LoomGraph");
    },
    tryAgain: () => {
      const { document, compileSource } = store.getState();
      void compileSource(document.source, undefined);
    },
    stopWork: () => services.engine.stop(),
    applyFix: (fix) => {
      const { document, commit, compiled } = store.getState();
      if (newestOf(compiled)?.source !== document.source) return;
      commit(applyEdits(document.source, fix.edits), fix.title);
    },
    assist: (request) => assist(store, services, request),
    rename: (offset, name) => rename(store, services, { kind: "rename", offset, name }),
    renameAxis: (axis, name) => {
      const isAssumed = newestOf(store.getState().compiled)?.mesh.status === "assumed";
      return isAssumed
        ? store.getState().gesture({ kind: "rename-axis", axis, to: name })
        : rename(store, services, { kind: "rename-axis", axis, name });
    },
  };
}

async function rename(
  store: AppStore,
  services: Services,
  request: AssistRequest,
): Promise<string | undefined> {
  const reply = await assist(store, services, request);
  if (reply?.kind !== "rename") return "the text has changed: try again";
  if (!reply.outcome.ok) return reply.outcome.reason;
  const { document, commit } = store.getState();
  commit(applyEdits(document.source, reply.outcome.edits), reply.outcome.label);
  return undefined;
}

function openExample(store: AppStore, services: Services, name: string): void {
  const example = examples.find((candidate) => candidate.name === name);
  if (example === undefined) return;
  setDraftAside(store, services);
  store.getState().commit(exampleText(example), `Open ${example.title}`);
  store.setState({ selection: {}, frame: 1 });
}

/** The same validator as of links; nothing of it touches the draft. */
function openFile(store: AppStore, { keep }: Services, bytes: Uint8Array): void {
  const { refuse, openDocument } = store.getState();
  const content = readFile(bytes);
  if (content.kind === "refused") {
    refuse(content);
    return;
  }
  if (content.kind === "text") {
    const fragment = `#file=${content.text.length}`;
    openDocument(content.text, { kind: "link", fragment });
    return;
  }
  const opening = openingOf(content.fragment, keep);
  refuse(opening.refusal);
  if (opening.refusal !== undefined || opening.origin.kind === "draft") return;
  openDocument(opening.source, opening.origin);
  lookAs(store, opening);
}

/** Keeps the reader's own draft, unless it is an example as it came. */
function setDraftAside(store: AppStore, { keep }: Services): void {
  const { document } = store.getState();
  const draft = document.origin.kind === "draft" ? document.source : readDraft(keep);
  const isOwn = draft !== undefined && exampleWithText(draft) === undefined;
  if (isOwn) setAside(keep, draft);
}

/** The text as a LoomGraph; what could not be written as it is, is said. */
async function loomOf(store: AppStore, services: Services, dialect: "op" | "app") {
  const reply = await assist(store, services, { kind: "loom", dialect });
  if (reply?.kind !== "loom") return undefined;
  const { diagnostics } = reply.loom;
  const [first] = diagnostics;
  const more = diagnostics.length > 1 ? ` And ${diagnostics.length - 1} more.` : "";
  const text =
    first === undefined ? undefined : `Not all of it is in the graph: ${first.message}.${more}`;
  if (text !== undefined) store.getState().say({ kind: "refused", text });
  return reply.loom;
}

/** A text by its first line that says something. */
function nameOf(source: string): string {
  const label = splitTexts(source)?.json.match(/"label"\s*:\s*"([^"]*)"/)?.[1];
  if (label !== undefined) return `LoomGraph with ${label}`;
  const lines = source.split("\n").map((line) => line.replace(/^[\s#]+/u, "").trim());
  const first = lines.find((line) => line !== "") ?? "Empty text";
  return first.length > 60 ? `${first.slice(0, 59)}…` : first;
}

async function assist(
  store: AppStore,
  { engine }: Services,
  request: AssistRequest,
): Promise<AssistReply | undefined> {
  const { source } = store.getState().document;
  const reply = await engine.assist(source, request);
  if (reply.kind !== "done" || store.getState().document.source !== source) return undefined;
  return reply.value;
}
