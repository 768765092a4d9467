import type { Keep } from "./services.ts";
import { parsed } from "./settings-slice.ts";

const draftKey = "shardboard.draft";
const asideKey = "shardboard.aside";
const mostAside = 12;
const visitKey = "shardboard.visit";

/** A shared plan that was edited here, by the link it came from. */
export interface Visit {
  readonly fragment: string;
  readonly source: string;
}

/** The reader's own text of an earlier visit. */
export function readDraft(keep: Keep): string | undefined {
  return keep.read(draftKey);
}

/** Keeps the reader's own text. False when the browser refuses. */
export function writeDraft(keep: Keep, source: string): boolean {
  return keep.write(draftKey, source);
}

/** Texts that something else took the place of, the newest first. */
export function readSetAside(keep: Keep): readonly string[] {
  const kept = parsed(keep.read(asideKey));
  return Array.isArray(kept) ? kept.filter((each) => typeof each === "string") : [];
}

/** Keeps a text that is about to be replaced; where there is no room, older ones go first. */
export function setAside(keep: Keep, source: string): void {
  let texts = [source, ...readSetAside(keep).filter((each) => each !== source)].slice(0, mostAside);
  while (!keep.write(asideKey, JSON.stringify(texts)) && texts.length > 1) {
    texts = texts.slice(0, -1);
  }
}

/** The edits made to a shared plan, if it is the one of this link. */
export function readVisit(keep: Keep, fragment: string): Visit | undefined {
  const [kept, source] = split(keep.read(visitKey) ?? "");
  return kept === fragment && source !== undefined ? { fragment, source } : undefined;
}

/** Keeps the edits of one shared plan; the draft is not touched. */
export function writeVisit(keep: Keep, visit: Visit): boolean {
  return keep.write(visitKey, `${visit.fragment}\n${visit.source}`);
}

function split(text: string): [string | undefined, string | undefined] {
  const end = text.indexOf("\n");
  return end < 0 ? [undefined, undefined] : [text.slice(0, end), text.slice(end + 1)];
}
