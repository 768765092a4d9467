import type { Span } from "#core/diagnostics";
import type { ParameterKind } from "../values/parameter.ts";
import { type Cursor, expect, fault, invalidSyntax, spanFrom, take, takeName } from "./cursor.ts";
import type { ParameterNode } from "./syntax.ts";

/** Part of a parameter list: a sign alone, or a parameter with its sign. */
interface Part {
  readonly sign: "" | "*" | "**" | "/" | "bare";
  readonly parameter?: Omit<ParameterNode, "kind">;
}

/** The parameters between the brackets of a `def`. */
export function readParameters(cursor: Cursor): readonly ParameterNode[] {
  const { from } = expect(cursor, "(");
  const parts = readParts(cursor, ")", true);
  expect(cursor, ")");
  return parametersOf(parts, spanFrom(cursor, from));
}

/** The parameters of a `lambda`, up to its colon. */
export function readLambdaParameters(cursor: Cursor): readonly ParameterNode[] {
  const { from } = cursor.token;
  const parts = readParts(cursor, ":", false);
  return parametersOf(parts, spanFrom(cursor, from));
}

function readParts(cursor: Cursor, close: string, isTyped: boolean): readonly Part[] {
  const parts: Part[] = [];
  while (cursor.token.text !== close) {
    parts.push(readPart(cursor, isTyped));
    if (cursor.token.text !== close) expect(cursor, ",");
  }
  return parts;
}

function readPart(cursor: Cursor, isTyped: boolean): Part {
  if (take(cursor, "/")) return { sign: "/" };
  const sign = take(cursor, "*") ? "*" : take(cursor, "**") ? "**" : "";
  if (sign === "*" && cursor.token.kind !== "name") return { sign: "bare" };
  const { from } = cursor.token;
  const named = takeName(cursor);
  const annotationSpan = isTyped && take(cursor, ":") ? readAnnotation(cursor, sign) : undefined;
  if (sign !== "" && cursor.token.text === "=") throw invalidSyntax(cursor);
  const value = take(cursor, "=") ? cursor.rules.expression(cursor) : undefined;
  const parameter = {
    ...named,
    span: spanFrom(cursor, from),
    ...(annotationSpan && { annotationSpan }),
    ...(value && { default: value }),
  };
  return { sign, parameter };
}

function readAnnotation(cursor: Cursor, sign: string): Span {
  if (sign === "*") take(cursor, "*");
  return cursor.rules.expression(cursor).span;
}

/** Parameters with their kinds, from the `/` and `*` signs. */
function parametersOf(parts: readonly Part[], span: Span): readonly ParameterNode[] {
  checkSigns(
    parts.map(({ sign }) => sign),
    span,
  );
  const slash = parts.findIndex(({ sign }) => sign === "/");
  const parameters: ParameterNode[] = [];
  let kind: ParameterKind = "positional";
  parts.forEach(({ sign, parameter }, index) => {
    if (parameter !== undefined) {
      const own = sign === "*" ? "var-positional" : sign === "**" ? "var-keyword" : kind;
      parameters.push({ ...parameter, kind: index < slash ? "positional-only" : own });
    }
    if (sign === "*" || sign === "bare") kind = "keyword-only";
  });
  checkParameters(parameters);
  return parameters;
}

/** Checks the order of `/`, `*` and `**` among parameters. */
function checkSigns(signs: readonly Part["sign"][], span: Span): void {
  const say = (message: string) => {
    throw fault(message, span);
  };
  const bare = signs.indexOf("bare");
  const following = signs[bare + 1];
  if (bare >= 0 && (following === undefined || following === "**")) {
    say("named arguments must follow bare *");
  }
  const words = signs.indexOf("**");
  if (words >= 0 && words < signs.length - 1) say("arguments cannot follow var-keyword argument");
  const slash = signs.indexOf("/");
  if (slash === 0) say("at least one argument must precede /");
  if (slash >= 0 && signs.includes("/", slash + 1)) say("/ may appear only once");
  const star = signs.findIndex((sign) => sign === "*" || sign === "bare");
  if (star >= 0 && star < slash) say("/ must be ahead of *");
  if (signs.filter((sign) => sign === "*" || sign === "bare").length > 1) {
    say("* argument may appear only once");
  }
}

function checkParameters(parameters: readonly ParameterNode[]): void {
  const names = new Set<string>();
  let hasDefault = false;
  for (const { name, nameSpan, kind, default: value } of parameters) {
    if (names.has(name)) {
      throw fault(`duplicate argument '${name}' in function definition`, nameSpan);
    }
    names.add(name);
    if (kind !== "positional" && kind !== "positional-only") continue;
    if (value !== undefined) hasDefault = true;
    else if (hasDefault) throw fault("non-default argument follows default argument", nameSpan);
  }
}
