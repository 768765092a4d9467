import { type BodyContent, bodyVersion, isTooLong, readBody, writeBody } from "./body.ts";
import { crc32 } from "./crc32.ts";
import { cleanDocument, maxTextBytes, type SharedDocument } from "./document.ts";
import { type Refused, refused, spaced } from "./refusal.ts";
import { type LinkView, parseView, printView } from "./view.ts";

/** Version of the envelope, and the id of the preset dictionary (0: none). */
const envelopeVersion = 1;
const dictionaryId = 0;

/** Most characters of a fragment. */
const maxFragmentLength = 64 * 1024;

/** Most plans to compare with in a link. */
const mostBases = 3;

/** The most stations of a talk in a link. */
const mostStations = 40;

/** A document read from a link. */
export interface Opened {
  readonly kind: "document";
  readonly document: SharedDocument;
  /** Version of the body. */
  readonly version: number;
  readonly view: LinkView;
  /** The views of a presentation; empty if the link has at most one view. */
  readonly stations: readonly LinkView[];
  /** The baselines of the comparison, at most three. */
  readonly bases: readonly SharedDocument[];
  /** Keys of the body that this version does not know. */
  readonly dropped: readonly string[];
}

/**
 * The content of an address after `#`: a document, one of the plain forms, nothing, or a refusal.
 */
export type Fragment =
  | Opened
  | ({ readonly kind: "source"; readonly text: string } & Views)
  | ({ readonly kind: "example"; readonly name: string } & Views)
  | { readonly kind: "none" }
  | Refused;

type Views = Pick<Opened, "view" | "stations">;

/**
 * The fragment of a link, `#p=1.<dictionary>.<length>.<crc>.<body>`, then `&b=` and an envelope for
 * each plan to compare with, and `&s=<view>` for the view or for each station of a talk.
 *
 * Equal documents give equal fragments. Characters that hide text are omitted (`cleanDocument`);
 * `checkShareable` tells whether the link can be opened again.
 */
export function encodeLink(
  document: SharedDocument,
  view: LinkView = {},
  bases: readonly SharedDocument[] = [],
  stations: readonly LinkView[] = [],
): string {
  const shown = printView(view);
  const views = stations.length > 0 ? stations.map(printView) : shown === "" ? [] : [shown];
  return [
    `#p=${envelopeOf(document)}`,
    ...bases.slice(0, mostBases).map((base) => `b=${envelopeOf(base)}`),
    ...views.map((each) => `s=${each}`),
  ].join("&");
}

/**
 * A result or a lesson as a text in the envelope of a link,
 * `#<name>=1.<dictionary>.<length>.<crc>.<body>`.
 */
export function encodeText(name: "result" | "lesson", text: string): string {
  return `#${name}=${envelopeOf({ text })}`;
}

/**
 * The text of a link made by `encodeText`, given as fragment or whole address; anything else is
 * refused. Never throws.
 */
export function decodeText(
  name: "result" | "lesson",
  link: string,
): { readonly kind: "text"; readonly text: string } | Refused {
  const fragment = link.trim().replace(/^[^#]*#/, "");
  if (fragment.length > maxFragmentLength) {
    const counts = `${spaced(fragment.length)} characters, the bound is ${spaced(maxFragmentLength)}`;
    return refused("too-large", `the link has ${counts}`);
  }
  const [first = ""] = fragment.split("&");
  if (!first.startsWith(`${name}=`)) return refused("not-a-link", `this is no link to a ${name}`);
  const content = readEnvelope(first.slice(name.length + 1));
  return content.kind === "refused" ? content : { kind: "text", text: content.document.text };
}

function envelopeOf(document: SharedDocument): string {
  const body = writeBody(document);
  return `${envelopeVersion}.${dictionaryId}.${body.length.toString(36)}.${crc32(body)}.${body}`;
}

/**
 * Checks whether a document and its fragment are within the bounds of a link; `undefined` if they
 * are.
 */
export function checkShareable(document: SharedDocument, fragment: string): Refused | undefined {
  if ([document.text, document.plan ?? "", document.base ?? ""].some(isTooLong)) {
    return refused("too-large", `a link carries at most ${spaced(maxTextBytes)} bytes of text`);
  }
  if (fragment.length <= maxFragmentLength) return undefined;
  const counts = `${spaced(fragment.length)} characters, the bound is ${spaced(maxFragmentLength)}`;
  return refused("too-large", `the link would have ${counts}`);
}

/** Reads a link: its fragment with or without `#`, or a whole address. Never throws. */
export function decodeLink(link: string): Opened | Refused {
  const fragment = readFragment(link);
  if (fragment.kind === "document" || fragment.kind === "refused") return fragment;
  return refused("not-a-link", "this is not a link to a plan");
}

/** Reads any known fragment, including the plain forms `#src=` and `#example=`. */
export function readFragment(link: string): Fragment {
  const fragment = link.trim().replace(/^[^#]*#/, "");
  if (fragment.length > maxFragmentLength) {
    const counts = `${spaced(fragment.length)} characters, the bound is ${spaced(maxFragmentLength)}`;
    return refused("too-large", `the link has ${counts}`);
  }
  const [first = "", ...rest] = fragment.split("&");
  if (first.startsWith("p=")) return readPlan(first.slice(2), rest);
  if (first.startsWith("src=")) return readSource(first.slice(4), rest);
  const example = /^example=([A-Za-z0-9_-]{1,64})$/.exec(first)?.[1];
  if (example !== undefined) return { kind: "example", name: example, ...viewsOf(rest) };
  if (fragment === "") return { kind: "none" };
  return refused("not-a-link", "this is not a link to a plan");
}

/** The views of a link: the first one is the opening view; several are the stations of a talk. */
function viewsOf(rest: readonly string[]): Views {
  const views = rest
    .filter((segment) => segment.startsWith("s="))
    .slice(0, mostStations)
    .map((segment) => parseView(segment.slice(2)));
  return { view: views[0] ?? {}, stations: views.length > 1 ? views : [] };
}

function readSource(encoded: string, rest: readonly string[]): Fragment {
  try {
    const { text } = cleanDocument({ text: decodeURIComponent(encoded) });
    return { kind: "source", text, ...viewsOf(rest) };
  } catch {
    return refused("damaged", "the link is damaged: its text is cut or wrongly encoded");
  }
}

function readPlan(plan: string, rest: readonly string[]): Opened | Refused {
  const content = readEnvelope(plan);
  if (content.kind === "refused") return content;
  const { document, dropped } = content;
  const others = rest.filter((segment) => segment.startsWith("b=")).map(readBase);
  const inside = document.base === undefined ? [] : [{ text: document.base }];
  const bases = [...inside, ...others.flat()];
  return {
    kind: "document",
    document,
    version: bodyVersion,
    ...viewsOf(rest),
    bases: bases.slice(0, mostBases),
    dropped: others.some((read) => read.length === 0) ? [...dropped, "b"] : dropped,
  };
}

/**
 * A plan to compare with, as a list. A damaged one is left out, since the plan itself can still be
 * opened.
 */
function readBase(segment: string): readonly SharedDocument[] {
  const content = readEnvelope(segment.slice(2));
  return content.kind === "refused" ? [] : [content.document];
}

function readEnvelope(plan: string): BodyContent | Refused {
  const [version = "", dictionary = "", length = "", crc = "", ...bodies] = plan.split(".");
  if (!/^\d{0,9}$/.test(version)) return refused("not-a-link", "this is not a link to a plan");
  if (Number(version) > envelopeVersion) {
    return refused("newer", `the link was made by a newer version (format ${version})`);
  }
  const body = bodies.join(".");
  const isWhole = /^\d+$/.test(dictionary) && /^[0-9a-z]{1,8}$/.test(length);
  if (Number(version) !== envelopeVersion || !isWhole || bodies.length === 0) {
    return refused("damaged", "the link is damaged: it ends before the plan begins");
  }
  if (Number(dictionary) > dictionaryId) {
    return refused("newer", `the link was made by a newer version (dictionary ${dictionary})`);
  }
  return readChecked(body, Number.parseInt(length, 36), crc);
}

function readChecked(body: string, length: number, crc: string): BodyContent | Refused {
  if (body.length !== length) {
    const counts = `${spaced(body.length)} of ${spaced(length)} characters arrived`;
    return refused("damaged", `the link is damaged: ${counts}`);
  }
  if (crc32(body) !== crc) {
    return refused("damaged", "the link is damaged: its characters were changed on the way");
  }
  return readBody(body);
}
