import { type LinkOptions, optionsOf } from "#app/embedding";
import { type Example, exampleText } from "#app/first-example";
import {
  type From,
  freshText,
  hearText,
  idOfKey,
  keepAsCame,
  latestText,
  openText,
  type Shelf,
  type TextId,
} from "#app/texts";
import { withExample } from "./address/known-examples.ts";
import { type Links, withLinks } from "./address/links.ts";
import {
  asCame,
  emptyOpening,
  type Opening,
  openingOf,
  ownOpening,
  sentOpening,
} from "./address/opening.ts";
import { applyView, lookAt, showPlace } from "./apply-view.ts";
import { keepShown } from "./keep-shown.ts";
import type { Services } from "./services.ts";
import { shareOf } from "./share-slice.ts";
import { noReaders } from "./shown-states.ts";
import type { AppStore } from "./store.ts";
import { noteAfterKeeping } from "./texts-slice.ts";

/** The actions of menus and buttons on whole texts. */
export interface TextActions {
  /** The texts of this browser. */
  readonly shelf: Shelf;
  /** Shows an example; the previous text is one undo away, and stays unchanged. */
  readonly openExample: (name: string) => void;
  /** Leaves a shared plan, or a refused link, for the text edited last. */
  readonly openDraft: () => void;
  readonly hasDraft: () => boolean;
  /** Shows a stored text. */
  readonly openPlan: (id: TextId) => void;
  /** Shows an empty text. */
  readonly newPlan: () => void;
  /** Stores the text on screen although it was not edited. */
  readonly keepPlan: () => void;
  /** Shows a link as it was sent, even if it has been edited here. */
  readonly openSent: (fragment: string) => void;
  /** Shows a station of the talk, from 0; does nothing if it does not exist. */
  readonly goToStation: (at: number) => void;
  /** Shows a redistribution, from 1, possibly after some of its hops. */
  readonly showAt: (at: NonNullable<LinkOptions["at"]>) => void;
  /** The link fragment of the present plan; rejects if the plan fits into no link. */
  readonly linkNow: () => Promise<string>;
  /** Opens an address to which the reader has navigated. */
  readonly follow: (address: string) => void;
  /** Opens the plan stored in a picture, or a text file, as a new text. */
  readonly openFile: (bytes: Uint8Array, name: string) => void;
  /** Opens a pasted text as a new text. */
  readonly openText: (text: string) => void;
  /** Reacts to a storage entry that another page wrote; `null` stands for the whole storage. */
  readonly hearStorage: (key: string | null) => void;
  /** Shows another page's version of the text on screen. */
  readonly showNewest: () => void;
  /** Takes over a change that the list made to the text on screen. */
  readonly listChanged: () => void;
}

/** The actions of a store on texts. */
export function createTextActions(store: AppStore, services: Services): TextActions {
  const { shelf } = services;
  const show = (opening: Opening) => showOpening(store, opening);
  const linked = (act: (links: Links) => void) =>
    withLinks(services.links, act, (text) => store.getState().say({ kind: "refused", text }));
  return {
    shelf,
    openExample: (name) => openExample(store, services, name),
    openDraft: () => {
      const { shownText, refuse } = store.getState();
      const { from, isNamed, isEdited } = shownText;
      if (isEdited && (isNamed || from.kind !== "link")) refuse(undefined);
      else show(ownOpening(shelf, shownText.id));
    },
    hasDraft: () => latestText(shelf) !== undefined,
    openPlan: (id) => {
      const opened = openText(shelf, id);
      if (opened !== undefined && id !== store.getState().shownText.id) {
        show({ ...opened, view: {} });
      }
    },
    newPlan: () => show(emptyOpening(shelf)),
    keepPlan: () => keepShown(store, services),
    openSent: (fragment) =>
      linked((links) => {
        const opening = sentOpening(fragment, shelf, links);
        if (opening !== undefined) show(opening);
      }),
    goToStation: (at) => {
      const view = store.getState().stations[at];
      if (view === undefined) return;
      lookAt(store, view);
      store.setState({ station: at });
    },
    showAt: (at) => showPlace(store, { mode: "whole", at }),
    linkNow: async () => {
      const share = shareOf(store.getState(), await services.links.load(), "", undefined);
      if (share.kind !== "open") throw new Error("the plan fits into no link");
      return share.address;
    },
    follow: (address) => follow(store, services, address),
    openFile: (bytes, name) =>
      linked((links) => openFile(store, shelf, links, { bytes, from: { kind: "file", name } })),
    openText: (text) => {
      const bytes = new TextEncoder().encode(text);
      linked((links) => openFile(store, shelf, links, { bytes, from: { kind: "new" } }));
    },
    hearStorage: (key) => hearStorage(store, services, key),
    showNewest: () => {
      const opened = openText(shelf, store.getState().shownText.id);
      if (opened !== undefined) show({ ...opened, view: {} });
    },
    listChanged: () => listChanged(store, services),
  };
}

/** Shows what an address asks for; of the text on screen only the place and the options change. */
function follow(store: AppStore, { shelf, links }: Services, address: string): void {
  const opening = openingOf(address, shelf, links.now());
  const isShown = opening.shown.id === store.getState().shownText.id;
  if (opening.refusal !== undefined || isShown) store.getState().refuse(opening.refusal);
  else showOpening(store, opening);
  if (isShown && opening.note !== undefined) store.getState().noteText(opening.note);
  const options = optionsOf(address);
  store.getState().takeOptions(options);
  showPlace(store, options);
}

function showOpening(store: AppStore, opening: Opening): void {
  store.getState().refuse(opening.refusal);
  if (opening.refusal !== undefined) return;
  store.getState().openDocument(opening.source, opening.shown);
  store.getState().noteText(opening.note);
  applyView(store, opening);
}

function openExample(store: AppStore, { shelf }: Services, name: string): void {
  const show = (example: Example) => showExample(store, shelf, example);
  withExample(name, show, (text) => store.getState().say({ kind: "refused", text }));
}

function showExample(store: AppStore, shelf: Shelf, example: Example): void {
  const { name } = example;
  const shown = freshText(shelf, { kind: "example", name }, example.title);
  store.getState().refuse(undefined);
  store.getState().commitOther(exampleText(example), `Open ${example.title}`, shown);
  store.setState({ selection: {}, readers: noReaders, frame: 1, textNote: undefined });
}

interface GivenFile {
  readonly bytes: Uint8Array;
  readonly from: From;
}

/** Opens a file through the validator of links, as a text of its own that is stored at once. */
function openFile(store: AppStore, shelf: Shelf, links: Links, { bytes, from }: GivenFile): void {
  const content = links.readFile(bytes);
  if (content.kind === "refused") {
    store.getState().refuse(content);
    return;
  }
  if (content.kind === "fragment") {
    showOpening(store, openingOf(content.fragment, shelf, links));
    return;
  }
  const opening = asCame(shelf, from, content.text);
  showOpening(store, opening);
  const shownText = keepAsCame(shelf, opening.shown, opening.source);
  store.setState({ shownText, textNote: noteAfterKeeping(undefined, opening.shown, shownText) });
  store.getState().countTexts();
}

function hearStorage(store: AppStore, { shelf }: Services, key: string | null): void {
  const id = key === null ? null : idOfKey(key);
  if (id === undefined) return;
  store.getState().countTexts();
  const { shownText, document } = store.getState();
  if (id !== null && id !== shownText.id) return;
  const { shown, heard } = hearText(shelf, shownText, document.source);
  store.setState({ shownText: shown });
  if (heard === "changed" || heard === "removed") store.getState().noteText({ kind: heard });
  if (heard === "forked") store.getState().noteText({ kind: "forked", name: shown.name });
}

function listChanged(store: AppStore, { shelf }: Services): void {
  const { shownText, countTexts } = store.getState();
  countTexts();
  if (shownText.kept === "no") return;
  const kept = openText(shelf, shownText.id)?.shown;
  if (kept === undefined) showOpening(store, ownOpening(shelf, shownText.id));
  else if (kept.name !== shownText.name) {
    store.setState({ shownText: { ...shownText, name: kept.name, isNamed: kept.isNamed } });
  }
}
