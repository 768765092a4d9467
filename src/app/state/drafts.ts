import type { Keep } from "./services.ts";

const draftKey = "shardboard.draft";
const previousKey = "shardboard.draft.previous";
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

/** The draft that an example or a shared plan took the place of. */
export function readPreviousDraft(keep: Keep): string | undefined {
  return keep.read(previousKey);
}

/** Keeps a draft that is about to be replaced. */
export function writePreviousDraft(keep: Keep, source: string): boolean {
  return keep.write(previousKey, source);
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
