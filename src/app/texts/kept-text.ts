import { isRecord } from "#core/records";

declare const textBrand: unique symbol;

/** Identifies one text of this browser, in storage and in addresses. */
export type TextId = string & { readonly [textBrand]: true };

/** Origin of a text. */
export type From =
  | { readonly kind: "example"; readonly name: string }
  | { readonly kind: "link"; readonly fragment: string; readonly name?: string }
  | { readonly kind: "file"; readonly name: string }
  /**
   * A step of a lesson, from 1, with the lesson as JSON if a link contained it; such a text is not
   * stored.
   */
  | {
      readonly kind: "lesson";
      readonly name: string;
      readonly step: number;
      readonly json?: string;
    }
  | { readonly kind: "new" };

/** A text stored in this browser; a graph in JSON is joined with its plan. */
export interface KeptText {
  readonly id: TextId;
  readonly name: string;
  /** Whether the reader gave the name; otherwise it is derived from the text. */
  readonly isNamed: boolean;
  readonly from: From;
  /** Milliseconds since 1970 at creation. */
  readonly created: number;
  /** Milliseconds since 1970 at the last edit; absent for a file that was never edited. */
  readonly edited?: number;
  /** Identifies this version; every write makes a new stamp. */
  readonly stamp: string;
  /** The stamp of the version on which the page that wrote this one is based. */
  readonly base?: string;
  /** A short description, present once the text has been compiled. */
  readonly about?: string;
  readonly source: string;
}

/** Version of an entry; entries of a newer version are left unchanged. */
const entryVersion = 1;

const idForm = /^[a-z0-9]{4,32}$/;

/** A string as a text id; `undefined` if it does not have the form of one. */
export function textId(text: string): TextId | undefined {
  return idForm.test(text) ? (text as TextId) : undefined;
}

/** A storage entry: a line of JSON with the text's properties, then the text itself. */
export function printEntry({ id: _, source, ...head }: KeptText): string {
  return `${JSON.stringify({ v: entryVersion, ...head })}\n${source}`;
}

/** Parses an entry; `undefined` if it is damaged or of a newer version. */
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

/** Time of the last edit, else of creation, in milliseconds since 1970. */
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
