import { wholeLink } from "#app/embedding";
import { type Example, exampleText, firstExample } from "#app/first-example";
import type { Fragment, LinkView, Refused } from "#app/share";
import {
  type From,
  freshText,
  latestText,
  openText,
  type Shelf,
  type ShownText,
  type TextId,
  textId,
  textOfLink,
} from "#app/texts";
import { joinTexts } from "#language/texts";
import { lessonsNow } from "../known-lessons.ts";
import type { OpenLesson } from "../lesson-slice.ts";
import { nameOf } from "../text-name.ts";
import type { TextNote } from "../texts-slice.ts";
import { knownExample } from "./known-examples.ts";
import type { Links, OpenFailure } from "./links.ts";

/** The initial state of the page: a text, and possibly the reason why a link was not opened. */
export interface Opening {
  readonly source: string;
  readonly shown: ShownText;
  readonly view: LinkView;
  /** The views of a presentation, in order. */
  readonly stations?: readonly LinkView[];
  /** The texts with which the plan is compared. */
  readonly bases?: readonly string[];
  readonly refusal?: OpenFailure;
  /** A note about the text. */
  readonly note?: TextNote;
  readonly lesson?: OpenLesson;
  /** The word to look up in the glossary. */
  readonly word?: string;
  /** The link to a lesson's result, if the page of results is shown; empty for no result yet. */
  readonly results?: string;
}

const noFragment = { kind: "none" } as const;

/** Refusal of any link while the code for links is not loaded. */
const notLoaded: OpenFailure = {
  kind: "refused",
  refusal: "not-loaded",
  message: "a part of the program that reads links could not be loaded",
};

const lessonsNotLoaded: OpenFailure = {
  ...notLoaded,
  message: "a part of the program that has the lessons could not be loaded",
};

/** Prefix of the fragment of a kept text, and the fragment of an empty text. */
const draft = "#draft=";
const empty = "#new";

/** The fragment that shows a text again, for reload, Back and bookmarks. */
export function fragmentOf({ id, from, kept }: ShownText): string {
  const isLost = kept === "page" && from.kind === "link";
  if (kept !== "no" && !isLost) return `${draft}${id}`;
  if (from.kind === "link") return from.fragment;
  if (from.kind === "lesson") {
    const name = from.json === undefined ? from.name : encodeURIComponent(from.json);
    return `#lesson=${name}${from.step > 1 ? `&step=${from.step}` : ""}`;
  }
  return from.kind === "example" ? `#example=${from.name}` : empty;
}

/** Whether an address has an encoded text, which only the code for links can read. */
export function isLink(address: string): boolean {
  const fragment = fragmentIn(address);
  const isExample = exampleNamed(fragment) !== undefined && !fragment.includes("&s=");
  const isPlain = fragment === "" || fragment === empty || isExample;
  return (
    !isPlain &&
    !fragment.startsWith(draft) &&
    lessonNamed(fragment) === undefined &&
    wordNamed(fragment) === undefined &&
    resultsIn(fragment) === undefined
  );
}

/** Whether an address may name an example that is not loaded yet. */
export function namesExample(address: string): boolean {
  const name = nameInFragment(fragmentIn(address));
  return name !== undefined && knownExample(name) === undefined;
}

/** Whether an address names a lesson while the lessons are not loaded yet. */
export function namesLesson(address: string): boolean {
  return lessonNamed(fragmentIn(address)) !== undefined && lessonsNow() === undefined;
}

/**
 * Reads the address' fragment without changing the reader's own texts.
 *
 * @param links absent if the address is no link, or if the code could not be loaded
 */
export function openingOf(address: string, shelf: Shelf, links?: Links): Opening {
  const fragment = fragmentIn(address);
  const example = fragment.includes("&s=") ? undefined : exampleNamed(fragment);
  if (example !== undefined) return exampleOpening(example, shelf);
  if (fragment === empty) return emptyOpening(shelf);
  const word = wordNamed(fragment);
  if (word !== undefined) return { ...ownOpening(shelf), word };
  const results = resultsIn(fragment);
  if (results !== undefined) return { ...ownOpening(shelf), results };
  const lesson = lessonNamed(fragment);
  if (lesson !== undefined) return lessonOr(lesson.name, lesson.step, shelf);
  if (fragment.startsWith(draft)) return keptOpening(fragment.slice(draft.length), shelf);
  const read = links?.readFragment(fragment) ?? (fragment === "" ? noFragment : notLoaded);
  return read.kind === "refused"
    ? { ...ownOpening(shelf), refusal: read }
    : (linkedOpening(read, fragment, shelf) ?? ownOpening(shelf));
}

/**
 * The reader's text that was edited last, or the first example.
 *
 * @param but a text to leave out
 */
export function ownOpening(shelf: Shelf, but?: TextId): Opening {
  const id = latestText(shelf, but);
  const own = id && openText(shelf, id);
  if (own) return { ...own, view: {} };
  return exampleOpening(firstExample, shelf);
}

/** An empty text. */
export function emptyOpening(shelf: Shelf): Opening {
  return asCame(shelf, { kind: "new" }, "");
}

/** An example with its original text. */
function exampleOpening(example: Example, shelf: Shelf): Opening {
  return asCame(shelf, { kind: "example", name: example.name }, exampleText(example));
}

/**
 * The plan of a link as it was sent, even if it has been edited here; `undefined` if the link is
 * refused.
 */
export function sentOpening(
  fragment: string,
  shelf: Shelf,
  { readFragment }: Links,
): Opening | undefined {
  const read = readFragment(fragment);
  return read.kind === "refused" ? undefined : linkOpening(read, fragment, shelf);
}

/** A text in its original state; it is not stored before its first edit. */
export function asCame(shelf: Shelf, from: From, source: string): Opening {
  return { source, shown: freshText(shelf, from, nameOf(from, source)), view: {} };
}

/** A lesson at one of its steps; a note if no lesson has the name. */
function lessonOr(name: string, step: number, shelf: Shelf): Opening {
  const code = lessonsNow();
  if (code === undefined) return { ...ownOpening(shelf), refusal: lessonsNotLoaded };
  const opened = code.lessonOpening(name, step, shelf);
  if (opened.ok) return opened.opening;
  return { ...ownOpening(shelf), note: { kind: "no-lesson", why: opened.why } };
}

/**
 * Lesson in `#lesson=zero&step=2`, or a lesson as JSON in place of its id; the step counts from 1
 * and defaults to 1.
 */
function lessonNamed(
  fragment: string,
): { readonly name: string; readonly step: number } | undefined {
  const [, name, rest = ""] = /^#lesson=([^&]+)(&.*)?$/.exec(fragment) ?? [];
  if (name === undefined) return undefined;
  return { name: decoded(name), step: Number(/&step=(\d{1,3})(?:&|$)/.exec(rest)?.[1] ?? 1) };
}

/** Word in `#word=partial%20sum`. */
function wordNamed(fragment: string): string | undefined {
  const word = /^#word=([^&]{1,120})$/.exec(fragment)?.[1];
  return word && decoded(word);
}

/**
 * Empty for `#results`, the page of many results; the fragment itself for `#result=…`, a single
 * result.
 */
function resultsIn(fragment: string): string | undefined {
  if (fragment === "#results") return "";
  return fragment.startsWith("#result=") ? fragment : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The fragment without the page options, which are not part of the opened plan. */
function fragmentIn(address: string): string {
  const hash = address.indexOf("#");
  const fragment = hash < 0 ? "" : wholeLink(address.slice(hash));
  return fragment === "#" ? "" : fragment;
}

function exampleNamed(fragment: string): Example | undefined {
  const name = nameInFragment(fragment);
  return name === undefined ? undefined : knownExample(name);
}

function nameInFragment(fragment: string): string | undefined {
  return /^#example=([\w-]+)/.exec(fragment)?.[1];
}

function keptOpening(name: string, shelf: Shelf): Opening {
  const id = textId(name);
  const kept = id && openText(shelf, id);
  if (kept) return { ...kept, view: {} };
  return { ...ownOpening(shelf), note: { kind: "missing" } };
}

type Readable = Exclude<Fragment, Refused>;

function viewsOf({ view, stations }: Pick<Opening, "view" | "stations">) {
  return { view, ...(stations !== undefined && { stations }) };
}

function linkedOpening(read: Readable, fragment: string, shelf: Shelf): Opening | undefined {
  const sent = linkOpening(read, fragment, shelf);
  if (sent === undefined || sent.shown.from.kind !== "link") return sent;
  const id = textOfLink(shelf, fragment);
  const edited = id && openText(shelf, id);
  if (!edited || edited.source === sent.source) return sent;
  return { ...sent, ...edited, note: { kind: "edited-link", fragment } };
}

function linkOpening(read: Readable, fragment: string, shelf: Shelf): Opening | undefined {
  switch (read.kind) {
    case "document": {
      const { text, plan = "", name } = read.document;
      const from = { kind: "link" as const, fragment, ...(name !== undefined && { name }) };
      const bases = read.bases.map((base) => joinTexts(base.text, base.plan ?? ""));
      const { view, stations } = read;
      return { ...asCame(shelf, from, joinTexts(text, plan)), view, stations, bases };
    }
    case "source":
      return { ...asCame(shelf, { kind: "link", fragment }, read.text), ...viewsOf(read) };
    case "example": {
      const example = knownExample(read.name);
      if (example !== undefined) return { ...exampleOpening(example, shelf), ...viewsOf(read) };
      return { ...ownOpening(shelf), note: { kind: "no-example", name: read.name } };
    }
    case "none":
      return undefined;
  }
}
