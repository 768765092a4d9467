import type { Span } from "#core/diagnostics";
import {
  advance,
  type Cursor,
  deepen,
  expect,
  fault,
  invalidSyntax,
  spanFrom,
  spanOf,
  take,
  takeName,
} from "./cursor.ts";
import { readConstant, readNumber, readStrings } from "./literals.ts";
import type { Expression, Pattern } from "./syntax.ts";

/** Pattern of a `case`; a comma-separated row is a sequence pattern. */
export function readPattern(cursor: Cursor): Pattern {
  const { from } = cursor.token;
  const first = readItem(cursor);
  const isRow = cursor.token.text === "," || first.kind === "star";
  const pattern = isRow ? sequence(cursor, from, first, "") : first;
  checkNames(pattern);
  return pattern;
}

/** Patterns after the first one, up to the closing bracket or the end of the row. */
function sequence(cursor: Cursor, from: number, first: Pattern, close: string): Pattern {
  const patterns = [first];
  while (take(cursor, ",")) {
    const { text } = cursor.token;
    if (text === close || (close === "" && (text === ":" || text === "if"))) break;
    patterns.push(readItem(cursor));
  }
  if (close !== "") expect(cursor, close);
  const stars = patterns.filter(({ kind }) => kind === "star");
  if (stars[1] !== undefined) {
    throw fault("multiple starred expressions in sequence pattern", stars[1].span);
  }
  return { kind: "sequence", patterns, span: spanFrom(cursor, from) };
}

/** One pattern of a row, possibly starred. */
function readItem(cursor: Cursor): Pattern {
  if (cursor.token.text !== "*") return readAs(cursor);
  const { from } = advance(cursor);
  const { name } = takeName(cursor);
  return { kind: "star", name, span: spanFrom(cursor, from) };
}

function readAs(cursor: Cursor): Pattern {
  deepen(cursor);
  const pattern = readOr(cursor);
  cursor.depth -= 1;
  if (!take(cursor, "as")) return pattern;
  const { token } = cursor;
  if (token.kind !== "name") throw fault("invalid pattern target", token);
  if (token.text === "_") throw fault("cannot use '_' as a target", token);
  const { name } = takeName(cursor);
  return { kind: "as", pattern, name, span: spanFrom(cursor, pattern.span.from) };
}

function readOr(cursor: Cursor): Pattern {
  const first = readClosed(cursor);
  if (cursor.token.text !== "|") return first;
  const patterns = [first];
  while (take(cursor, "|")) patterns.push(readClosed(cursor));
  return { kind: "or", patterns, span: spanFrom(cursor, first.span.from) };
}

function readClosed(cursor: Cursor): Pattern {
  const { token } = cursor;
  switch (token.text) {
    case "(":
      return readParentheses(cursor);
    case "[": {
      const { from } = advance(cursor);
      if (take(cursor, "]"))
        return { kind: "sequence", patterns: [], span: spanFrom(cursor, from) };
      return sequence(cursor, from, readItem(cursor), "]");
    }
    case "{":
      return readMapping(cursor);
    default:
      return token.kind === "name" ? readNamed(cursor) : valuePattern(readLiteral(cursor));
  }
}

function valuePattern(value: Expression): Pattern {
  return { kind: "value", value, span: value.span };
}

function readParentheses(cursor: Cursor): Pattern {
  const { from } = advance(cursor);
  if (take(cursor, ")")) return { kind: "sequence", patterns: [], span: spanFrom(cursor, from) };
  const first = readItem(cursor);
  if (cursor.token.text === "," || first.kind === "star") return sequence(cursor, from, first, ")");
  expect(cursor, ")");
  return { ...first, span: spanFrom(cursor, from) };
}

/** A name captures anything; a dotted path is a value; a class pattern has parentheses. */
function readNamed(cursor: Cursor): Pattern {
  const path = readPath(cursor);
  if (cursor.token.text === "(") return readClass(cursor, path);
  if (path.kind === "name") return { kind: "capture", name: path.name, span: path.span };
  return valuePattern(path);
}

function readPath(cursor: Cursor): Expression {
  const { name, nameSpan } = takeName(cursor);
  let path: Expression = { kind: "name", name, span: nameSpan };
  while (take(cursor, ".")) {
    const last = takeName(cursor);
    path = { kind: "attribute", object: path, ...last, span: spanFrom(cursor, nameSpan.from) };
  }
  return path;
}

/** A number with an optional sign, a string, `None`, `True` or `False`. */
function readLiteral(cursor: Cursor): Expression {
  const { token } = cursor;
  if (token.kind === "string") return readStrings(cursor);
  const isSigned = take(cursor, "-");
  if (cursor.token.kind === "number") return readComplex(cursor, token, isSigned);
  const value = isSigned ? undefined : readConstant(token);
  if (value === undefined) throw invalidSyntax(cursor);
  advance(cursor);
  return { kind: "constant", value, span: spanOf(token) };
}

function readComplex(cursor: Cursor, first: Span, isSigned: boolean): Expression {
  const number = advance(cursor);
  const operand = constant(number);
  const value: Expression = isSigned
    ? { kind: "unary", operator: "-", operand, span: spanFrom(cursor, first.from) }
    : operand;
  const { text } = cursor.token;
  if (text !== "+" && text !== "-") return value;
  advance(cursor);
  if (cursor.token.kind !== "number") throw invalidSyntax(cursor);
  const last = advance(cursor);
  if (!/[jJ]$/.test(last.text)) {
    throw fault("imaginary number required in complex literal", last);
  }
  const span = spanFrom(cursor, first.from);
  return { kind: "binary", operator: text, left: value, right: constant(last), span };
}

function constant(token: Parameters<typeof readNumber>[0]): Expression {
  return { kind: "constant", value: readNumber(token), span: spanOf(token) };
}

function readMapping(cursor: Cursor): Pattern {
  const { from } = advance(cursor);
  const entries: { key: Expression; pattern: Pattern }[] = [];
  let rest: string | undefined;
  while (cursor.token.text !== "}") {
    if (rest !== undefined) throw invalidSyntax(cursor);
    if (take(cursor, "**")) rest = takeName(cursor).name;
    else {
      const key = cursor.token.kind === "name" ? readPath(cursor) : readLiteral(cursor);
      if (key.kind === "name") throw fault("invalid syntax", key.span);
      expect(cursor, ":");
      entries.push({ key, pattern: readAs(cursor) });
    }
    if (cursor.token.text !== "}") expect(cursor, ",");
  }
  advance(cursor);
  const span = spanFrom(cursor, from);
  return { kind: "mapping", entries, ...(rest === undefined ? {} : { rest }), span };
}

function readClass(cursor: Cursor, type: Expression): Pattern {
  advance(cursor);
  const patterns: Pattern[] = [];
  const named: { name: string; pattern: Pattern }[] = [];
  while (cursor.token.text !== ")") {
    const pattern = readAs(cursor);
    if (pattern.kind === "capture" && take(cursor, "=")) {
      named.push({ name: pattern.name, pattern: readAs(cursor) });
    } else if (named.length > 0) {
      throw fault("positional patterns follow keyword patterns", pattern.span);
    } else patterns.push(pattern);
    if (cursor.token.text !== ")") expect(cursor, ",");
  }
  advance(cursor);
  return { kind: "class", type, patterns, named, span: spanFrom(cursor, type.span.from) };
}

/** Checks that a pattern binds each name once and that its alternatives bind the same names. */
function checkNames(pattern: Pattern): readonly string[] {
  const names = pattern.kind === "or" ? alternativeNames(pattern) : ownNames(pattern);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) {
    const message = `multiple assignments to name '${twice}' in pattern`;
    throw fault(message, pattern.span);
  }
  return names;
}

function ownNames(pattern: Exclude<Pattern, { kind: "or" }>): readonly string[] {
  switch (pattern.kind) {
    case "value":
      return [];
    case "capture":
    case "star":
      return pattern.name === "_" ? [] : [pattern.name];
    case "as":
      return [...checkNames(pattern.pattern), pattern.name];
    case "sequence":
      return pattern.patterns.flatMap(checkNames);
    case "mapping": {
      const rest = pattern.rest === undefined ? [] : [pattern.rest];
      return [...pattern.entries.flatMap((entry) => checkNames(entry.pattern)), ...rest];
    }
    case "class":
      return [...pattern.patterns, ...pattern.named.map((each) => each.pattern)].flatMap(
        checkNames,
      );
  }
}

function alternativeNames(pattern: Extract<Pattern, { kind: "or" }>): readonly string[] {
  pattern.patterns.slice(0, -1).forEach((each) => {
    const what = takesAll(each);
    if (what !== undefined) throw fault(unreachable(what), each.span);
  });
  const [first = [], ...others] = pattern.patterns.map(checkNames);
  const key = [...first].sort().join();
  if (others.some((names) => [...names].sort().join() !== key)) {
    const message = "alternative patterns bind different names";
    throw fault(message, pattern.span);
  }
  return first;
}

/** CPython's words for an irrefutable pattern; `undefined` for other patterns. */
export function takesAll(pattern: Pattern): string | undefined {
  if (pattern.kind === "as") return takesAll(pattern.pattern);
  if (pattern.kind !== "capture") return undefined;
  return pattern.name === "_" ? "wildcard" : `name capture '${pattern.name}'`;
}

/** CPython's message for a pattern after an irrefutable one. */
export function unreachable(what: string): string {
  return `${what} makes remaining patterns unreachable`;
}
