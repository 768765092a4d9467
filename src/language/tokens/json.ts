import type { Fold } from "./folds.ts";
import type { Token } from "./token.ts";

/** A token of JSON. `name` is a member's name with its quotes; `string` is any other string. */
export interface JsonToken {
  readonly kind: "name" | "string" | "number" | "word";
  readonly from: number;
  readonly to: number;
}

/** A container that is open at a position; a stack of them has the outermost first. */
export interface OpenJson {
  readonly kind: "object" | "array";
  readonly from: number;
  /** Name of the member, or index of the item, whose value comes next. */
  key: string | number | undefined;
  /** Names of its members so far. */
  readonly names: string[];
  /** Members so far whose value is a string, by name. */
  readonly texts: Map<string, string>;
}

/** Callbacks of a JSON scan; the scan stops when one returns `true`. */
export interface JsonVisitor {
  readonly token?: (token: JsonToken, open: readonly OpenJson[]) => boolean | undefined;
  readonly enter?: (open: readonly OpenJson[]) => boolean | undefined;
  /** Receives the containers still open at the end of the text. */
  readonly end?: (open: readonly OpenJson[]) => void;
  /** Called when the last of `open` closes, at the end offset `to`. */
  readonly leave?: (open: readonly OpenJson[], to: number) => boolean | undefined;
}

const word = /\s+|"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/y;

/**
 * Scans JSON token by token without validation, so that open containers are known even in a text
 * that is being typed.
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

/** Content of a quoted string, closed or not. */
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

/** Tokens of JSON for colouring. */
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

/** Folds of multi-line objects and arrays; of several that begin on one line, the longest. */
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
