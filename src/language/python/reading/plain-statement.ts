import type { Span } from "#core/diagnostics";
import type { ArgumentNode, Expression, Statement } from "./syntax.ts";

/** Where the reading of a line stands. */
interface Cursor {
  readonly text: string;
  at: number;
  /** How many brackets are open. */
  depth: number;
}

/** Deeper nesting is left to the grammar, which has a fault for it. */
const deepest = 40;

/**
 * Reads a line that is a plain statement: a call or value, or its assignment to one name, made of
 * names, attributes, calls, tuples, lists, numbers and strings in their simplest spelling. It is
 * the same statement that the grammar's tree is lowered to, in a fraction of the time; `undefined`
 * for every other line, sound or not.
 *
 * @param from where the line begins, to where its last token ends
 */
export function readPlainStatement(text: string, from: number, to: number): Statement | undefined {
  const cursor: Cursor = { text, at: from, depth: 0 };
  const first = readExpression(cursor);
  if (first === undefined) return undefined;
  if (cursor.at === to) return { kind: "expression", value: first, span: first.span };
  skipBlanks(cursor);
  if (!isBareName(first) || !takesSign(cursor, "=")) return undefined;
  const value = readExpression(cursor);
  if (value === undefined || cursor.at !== to) return undefined;
  return { kind: "assign", targets: [first], value, span: { from, to } };
}

/** One expression; the cursor stands behind its last token then. */
function readExpression(cursor: Cursor): Expression | undefined {
  skipBlanks(cursor);
  const from = cursor.at;
  let value = readAtom(cursor);
  while (value !== undefined) {
    const end = cursor.at;
    skipBlanks(cursor);
    const sign = cursor.text.charAt(cursor.at);
    if (sign === "(" && isCallable(value)) value = readCall(cursor, value, from);
    else if (sign === "." && isCallable(value)) value = readAttribute(cursor, value, from);
    else {
      cursor.at = end;
      return value;
    }
  }
  return undefined;
}

/** A name without brackets around it. */
function isBareName(
  expression: Expression,
): expression is Extract<Expression, { readonly kind: "name" }> {
  const { kind, span } = expression;
  return kind === "name" && span.to - span.from === expression.name.length;
}

/** Numbers and strings with something behind them are left to the grammar. */
function isCallable({ kind }: Expression): boolean {
  return kind === "name" || kind === "call" || kind === "attribute";
}

function readAtom(cursor: Cursor): Expression | undefined {
  const sign = cursor.text.charAt(cursor.at);
  if (sign === "(") return readBrackets(cursor, ")");
  if (sign === "[") return readBrackets(cursor, "]");
  if (sign === '"' || sign === "'") return readString(cursor);
  return readName(cursor) ?? readInteger(cursor);
}

const name = /[A-Za-z_]\w*/y;
const integer = /(?:0|[1-9]\d{0,300})(?![\w.])/y;
/** A string of one line without escapes, which nothing joins with a next one. */
const string = /(?:"[^"\\\r\n]*"|'[^'\\\r\n]*')(?!["'])/y;

function readName(cursor: Cursor): Expression | undefined {
  const from = cursor.at;
  const word = taken(cursor, name);
  const next = cursor.text.charCodeAt(cursor.at);
  // A prefix of a string, or letters beyond ASCII: not as simple as it looks.
  if (word === undefined || next === 34 || next === 39 || next > 126) return undefined;
  const span = spanFrom(cursor, from);
  if (!keywords.has(word)) return { kind: "name", name: word, span };
  if (word === "None") return { kind: "constant", value: { kind: "none" }, span };
  const isBoolean = word === "True" || word === "False";
  if (!isBoolean) return undefined;
  return { kind: "constant", value: { kind: "bool", value: word === "True" }, span };
}

function readInteger(cursor: Cursor): Expression | undefined {
  const from = cursor.at;
  const digits = taken(cursor, integer);
  if (digits === undefined) return undefined;
  const value = { kind: "int", value: BigInt(digits) } as const;
  return { kind: "constant", value, span: spanFrom(cursor, from) };
}

function readString(cursor: Cursor): Expression | undefined {
  const from = cursor.at;
  const found = taken(cursor, string);
  if (found === undefined) return undefined;
  const span = spanFrom(cursor, from);
  skipBlanks(cursor);
  const next = cursor.text.charAt(cursor.at);
  const isAlone = next === "" || !/["'A-Za-z]/.test(next);
  cursor.at = span.to;
  const value = { kind: "str", value: found.slice(1, -1) } as const;
  return isAlone ? { kind: "constant", value, span } : undefined;
}

function readAttribute(cursor: Cursor, object: Expression, from: number): Expression | undefined {
  cursor.at += 1;
  const start = cursor.at;
  const word = taken(cursor, name);
  const isPlain = word !== undefined && !(cursor.text.charCodeAt(cursor.at) > 126);
  if (!isPlain || keywords.has(word)) return undefined;
  const nameSpan = spanFrom(cursor, start);
  return { kind: "attribute", object, name: word, nameSpan, span: spanFrom(cursor, from) };
}

function readCall(cursor: Cursor, callee: Expression, from: number): Expression | undefined {
  const args: ArgumentNode[] = [];
  let names: Set<string> | undefined;
  const isRead = readItems(cursor, ")", () => {
    const argument = readArgument(cursor);
    const given = argument?.name;
    if (argument === undefined || (given === undefined ? names !== undefined : names?.has(given))) {
      return false;
    }
    if (given !== undefined) names = (names ?? new Set()).add(given);
    args.push(argument);
    return true;
  });
  return isRead ? { kind: "call", callee, args, span: spanFrom(cursor, from) } : undefined;
}

function readArgument(cursor: Cursor): ArgumentNode | undefined {
  const first = readExpression(cursor);
  if (first === undefined) return undefined;
  const end = cursor.at;
  skipBlanks(cursor);
  if (!isBareName(first) || !takesSign(cursor, "=")) {
    cursor.at = end;
    return { star: "", value: first };
  }
  const value = readExpression(cursor);
  return value && { star: "", value, name: first.name, nameSpan: first.span };
}

/** A tuple, a list, or an expression in brackets, which it counts as its own. */
function readBrackets(cursor: Cursor, close: ")" | "]"): Expression | undefined {
  const from = cursor.at;
  const items: Expression[] = [];
  let commas = 0;
  const isRead = readItems(
    cursor,
    close,
    () => {
      const item = readExpression(cursor);
      if (item !== undefined) items.push(item);
      return item !== undefined;
    },
    () => {
      commas += 1;
    },
  );
  if (!isRead) return undefined;
  const span = spanFrom(cursor, from);
  if (close === "]") return { kind: "list", items, span };
  const [only] = items;
  return only !== undefined && commas === 0 ? { ...only, span } : { kind: "tuple", items, span };
}

/** Reads items between commas up to the bracket that closes them, that of the cursor being open. */
function readItems(
  cursor: Cursor,
  close: ")" | "]",
  readItem: () => boolean,
  onComma?: () => void,
): boolean {
  cursor.at += 1;
  cursor.depth += 1;
  if (cursor.depth > deepest) return false;
  for (;;) {
    skipBlanks(cursor);
    if (takesSign(cursor, close)) break;
    if (!readItem()) return false;
    skipBlanks(cursor);
    if (takesSign(cursor, ",")) onComma?.();
    else if (cursor.text.charAt(cursor.at) !== close) return false;
  }
  cursor.depth -= 1;
  return true;
}

/** Takes one sign; not an `=` that another follows. */
function takesSign(cursor: Cursor, sign: string): boolean {
  if (cursor.text.charAt(cursor.at) !== sign) return false;
  if (sign === "=" && cursor.text.charAt(cursor.at + 1) === "=") return false;
  cursor.at += 1;
  return true;
}

/** Blanks; inside brackets also line ends. */
function skipBlanks(cursor: Cursor): void {
  const { text, depth } = cursor;
  for (;;) {
    const code = text.charCodeAt(cursor.at);
    const isBlank = code === 32 || code === 9 || (code === 10 && depth > 0);
    if (!isBlank) return;
    cursor.at += 1;
  }
}

/** What matches where the cursor stands; a test makes no list, as a match would. */
function taken(cursor: Cursor, pattern: RegExp): string | undefined {
  const { text, at } = cursor;
  pattern.lastIndex = at;
  if (!pattern.test(text)) return undefined;
  cursor.at = pattern.lastIndex;
  return text.slice(at, cursor.at);
}

function spanFrom(cursor: Cursor, from: number): Span {
  return { from, to: cursor.at };
}

/** Words that are no names, or that begin statements in some places. */
const keywords: ReadonlySet<string> = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except " +
    "finally for from global if import in is lambda nonlocal not or pass raise return try while " +
    "with yield match case type print exec"
  ).split(" "),
);
