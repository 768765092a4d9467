import { isRecord } from "#core/records";

declare const textBrand: unique symbol;

/** Names one text of this browser, in storage and in addresses. */
export type TextId = string & { readonly [textBrand]: true };

/** Where a text came from. */
export type From =
  | { readonly kind: "example"; readonly name: string }
  | { readonly kind: "link"; readonly fragment: string; readonly name?: string }
  | { readonly kind: "file"; readonly name: string }
  /** A step of a lesson, from 1, with the lesson as JSON where a link had it: nothing of it is kept. */
  | {
      readonly kind: "lesson";
      readonly name: string;
      readonly step: number;
      readonly json?: string;
    }
  | { readonly kind: "new" };

/** A text that is kept in this browser; a graph in JSON is joined with the plan beside it. */
export interface KeptText {
  readonly id: TextId;
  readonly name: string;
  /** Whether the reader gave the name; else it follows from the text. */
  readonly isNamed: boolean;
  readonly from: From;
  /** Milliseconds since 1970. */
  readonly created: number;
  /** Milliseconds since 1970 at the last edit; absent of a file that was never edited. */
  readonly edited?: number;
  /** Names this version; every write makes a new one. */
  readonly stamp: string;
  /** The stamp of the version from which the page that wrote this one started. */
  readonly base?: string;
  /** A description in a few words, once the text has been compiled. */
  readonly about?: string;
  readonly source: string;
}

/** Of this version of an entry; one of a newer version is left as it is. */
const entryVersion = 1;

const idForm = /^[a-z0-9]{4,32}$/;

/** The id that a text spells; `undefined` where it has not the form of one. */
export function textId(text: string): TextId | undefined {
  return idForm.test(text) ? (text as TextId) : undefined;
}

/** One entry of the storage: a line of JSON that tells of the text, then the text as it is. */
export function printEntry({ id: _, source, ...head }: KeptText): string {
  return `${JSON.stringify({ v: entryVersion, ...head })}\n${source}`;
}

/** Reads an entry; `undefined` where it is damaged or of a newer version. */
export function parseEntry(id: TextId, entry: string): KeptText | undefined {
  const end = entry.indexOf("\n");
  const head = recordOf(entry.slice(0, Math.max(end, 0)));
  if (head === undefined || head["v"] !== entryVersion) return undefined;
  const { name, isNamed, created, edited, stamp, base, about } = head;
  const from = fromOf(head["from"]);
  if (from === undefined || typeof name !== "string" || typeof stamp !== "string") return undefined;
  return {
    ...{ id, name, from, stamp, isNamed: isNamed === true },
    created: typeof created === "number" ? created : 0,
    ...(typeof edited === "number" && { edited }),
    ...(typeof base === "string" && { base }),
    ...(typeof about === "string" && { about }),
    source: entry.slice(end + 1),
  };
}

/** When a text was edited last, else when it came, in milliseconds since 1970. */
export function timeOf({ edited, created }: KeptText): number {
  return edited ?? created;
}

function fromOf(value: unknown): From | undefined {
  if (!isRecord(value)) return undefined;
  const { kind, name, fragment } = value;
  if (kind === "new") return { kind };
  if (kind === "link" && typeof fragment === "string") {
    return { kind, fragment, ...(typeof name === "string" && { name }) };
  }
  const isNamed = kind === "example" || kind === "file";
  return isNamed && typeof name === "string" ? { kind, name } : undefined;
}

function recordOf(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
