import type { Fold } from "./folds.ts";
import type { Token } from "./token.ts";

/** A word of JSON. `name` is that of a member, with its quotes; `string` any other text. */
export interface JsonToken {
  readonly kind: "name" | "string" | "number" | "word";
  readonly from: number;
  readonly to: number;
}

/** A container that is open at a place, the outermost first in a stack of them. */
export interface OpenJson {
  readonly kind: "object" | "array";
  readonly from: number;
  /** The name whose value comes, or the position of the item that comes. */
  key: string | number | undefined;
  /** Names that stood in it so far. */
  readonly names: string[];
  /** Members so far whose value is a text. */
  readonly texts: Map<string, string>;
}

/** Callbacks of a scan of JSON; the scan ends when one returns `true`. */
export interface JsonVisitor {
  readonly token?: (token: JsonToken, open: readonly OpenJson[]) => boolean | undefined;
  readonly enter?: (open: readonly OpenJson[]) => boolean | undefined;
  /** The open objects and lists at the end of an incomplete text. */
  readonly end?: (open: readonly OpenJson[]) => void;
  /** The last of `open` ends before `to`. */
  readonly leave?: (open: readonly OpenJson[], to: number) => boolean | undefined;
}

const word = /\s+|"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/y;

/**
 * Walks through JSON word by word. Nothing is checked: in a text that is being typed, what is open
 * at a place is told all the same.
 */
export function scanJson(text: string, visitor: JsonVisitor, from = 0): void {
  const open: OpenJson[] = [];
  let at = from;
  while (at < text.length) {
    word.lastIndex = at;
    const found = word.exec(text)?.[0];
    if (found === undefined) return;
    const to = at + found.length;
    if (step(text, { from: at, to }, open, visitor) === true) return;
    at = to;
  }
  visitor.end?.(open);
}

function step(
  text: string,
  { from, to }: { from: number; to: number },
  open: OpenJson[],
  visitor: JsonVisitor,
): boolean | undefined {
  const last = open.at(-1);
  switch (text[from]) {
    case " ":
    case "\n":
    case "\t":
    case "\r":
    case ":":
      return undefined;
    case "{":
    case "[": {
      const kind = text[from] === "{" ? "object" : "array";
      const key = kind === "array" ? 0 : undefined;
      open.push({ kind, from, key, names: [], texts: new Map() });
      return visitor.enter?.(open);
    }
    case "}":
    case "]": {
      const isDone = last !== undefined && visitor.leave?.(open, to);
      open.pop();
      return isDone;
    }
    case ",":
      if (last?.kind === "array") last.key = Number(last.key) + 1;
      else if (last !== undefined) last.key = undefined;
      return undefined;
    default:
      return told(text, { from, to }, open, visitor);
  }
}

function told(
  text: string,
  { from, to }: { from: number; to: number },
  open: readonly OpenJson[],
  visitor: JsonVisitor,
): boolean | undefined {
  const last = open.at(-1);
  const isText = text[from] === '"';
  if (isText && last?.kind === "object" && last.key === undefined) {
    const isDone = visitor.token?.({ kind: "name", from, to }, open);
    last.key = jsonText(text.slice(from, to));
    last.names.push(last.key);
    return isDone;
  }
  const kind = isText ? "string" : /^[-\d]/.test(text.slice(from, to)) ? "number" : "word";
  const isDone = visitor.token?.({ kind, from, to }, open);
  if (isText && last?.kind === "object" && typeof last.key === "string") {
    last.texts.set(last.key, jsonText(text.slice(from, to)));
  }
  return isDone;
}

/** What a text in quotes says, closed or not. */
export function jsonText(quoted: string): string {
  const isClosed = quoted.length > 1 && quoted.endsWith('"');
  const inside = quoted.slice(1, isClosed ? -1 : undefined);
  if (!inside.includes("\\")) return inside;
  try {
    return String(JSON.parse(`"${inside}"`));
  } catch {
    return inside;
  }
}

const kinds = { name: "property", string: "string", number: "number", word: "constant" } as const;

/** The coloured parts of JSON. */
export function jsonTokens(text: string): readonly Token[] {
  const tokens: Token[] = [];
  scanJson(text, {
    token: ({ kind, from, to }) => {
      tokens.push({ from, to, kind: kinds[kind] });
      return undefined;
    },
  });
  return tokens;
}

/** Objects and lists of several lines; of those that begin on one line the longest. */
export function jsonFolds(text: string): readonly Fold[] {
  const folds = new Map<number, Fold>();
  scanJson(text, {
    leave: (open, to) => {
      const from = lineEnd(text, open.at(-1)?.from ?? to);
      const end = text.lastIndexOf("\n", to - 1);
      const known = folds.get(from);
      if (from < end && (known === undefined || known.to < end)) {
        folds.set(from, { from, to: end, kind: "block" });
      }
      return undefined;
    },
  });
  return [...folds.values()].sort((a, b) => a.from - b.from);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}
