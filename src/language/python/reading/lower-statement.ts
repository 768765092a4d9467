import type { SyntaxNode } from "@lezer/common";
import type { Fix } from "#core/diagnostics";
import { blocksOf } from "./children.ts";
import { lineStartAt } from "./line-start.ts";
import { lowerCompound } from "./lower-compound.ts";
import { lowerDefinition } from "./lower-definition.ts";
import { lowerExpression, lowerTuple, lowerYield } from "./lower-expression.ts";
import { lowerImport } from "./lower-import.ts";
import { lowerMatch } from "./lower-match.ts";
import {
  childNodesOf,
  deeper,
  invalidSyntax,
  nameOf,
  type Reading,
  SyntaxFault,
  spanOf,
  splitAt,
  textOf,
} from "./reading.ts";
import type { Statement } from "./syntax.ts";
import { checkTarget, namesBoundBy } from "./targets.ts";

/**
 * Lowers the statements among `nodes`; one that is malformed becomes a statement of that kind.
 *
 * @param required the indentation that they must have; without it that of the first one
 */
export function lowerStatements(
  reading: Reading,
  nodes: readonly SyntaxNode[],
  required?: string,
): readonly Statement[] {
  const statements: Statement[] = [];
  const broken = new Set<number>();
  for (const node of nodes) {
    if (!node.type.isError) continue;
    const line = lineStartAt(reading.text, node.from);
    if (!broken.has(line)) reading.report(faultDiagnostic(invalidSyntax(reading, node)));
    broken.add(line);
  }
  let indentation = required;
  for (const node of nodes) {
    if (node.type.isError) continue;
    const own = indentationOf(reading, node);
    indentation ??= own;
    if (own !== undefined && own !== indentation)
      reportIndentation(reading, node, own, indentation);
    if (broken.has(lineStartAt(reading.text, node.from))) statements.push(malformed(reading, node));
    else statements.push(...lowerGroup(reading, node));
  }
  return statements;
}

/** One statement, or several on one line with `;` between them. */
function lowerGroup(reading: Reading, node: SyntaxNode): readonly Statement[] {
  const parts = node.name === "StatementGroup" ? statementNodesOf(node) : [node];
  return parts.filter(({ name }) => name !== ";").map((part) => lowerSafely(reading, part));
}

function malformed(reading: Reading, node: SyntaxNode): Statement {
  const names = namesBoundBy(textOf(reading, node));
  return { kind: "malformed", names, span: spanOf(reading, node) };
}

function reportIndentation(
  reading: Reading,
  node: SyntaxNode,
  own: string,
  expected: string | undefined,
): void {
  const message =
    own.length > (expected ?? "").length
      ? "unexpected indent"
      : "unindent does not match any outer indentation level";
  const line = { from: node.from, to: Math.min(node.to, lineEnd(reading.text, node.from)) };
  const fixes = expected === undefined ? [] : indented(reading, node, expected);
  const fault = new SyntaxFault("IndentationError", message, spanOf(reading, line), fixes);
  reading.report(faultDiagnostic(fault));
}

/** The first line of a statement as far in as the statements before it. */
function indented(reading: Reading, node: SyntaxNode, text: string): readonly Fix[] {
  const place = spanOf(reading, { from: lineStartAt(reading.text, node.from), to: node.from });
  const spaces = text.length === 1 ? "1 space" : `${text.length} spaces`;
  const title = text === "" ? "Take the indentation out" : `Indent by ${spaces}`;
  return [{ title, edits: [{ ...place, text }] }];
}

function statementNodesOf(node: SyntaxNode): readonly SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== "Comment") children.push(child);
  }
  return children;
}

/** The white space before a statement that starts its line. */
function indentationOf(reading: Reading, node: SyntaxNode): string | undefined {
  const before = reading.text.slice(lineStartAt(reading.text, node.from), node.from);
  return /^[ \t\f]*$/.test(before) ? before.replaceAll("\t", "        ") : undefined;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

function lowerSafely(reading: Reading, node: SyntaxNode): Statement {
  const { depth, owner } = reading;
  try {
    return trimmed(deeper(reading, node, () => lowerStatement(reading, node)));
  } catch (fault) {
    if (!(fault instanceof SyntaxFault)) throw fault;
    reading.depth = depth;
    reading.owner = owner;
    reading.report(faultDiagnostic(fault));
    return malformed(reading, node);
  }
}

/** A compound statement ends where its last inner statement ends, not after blank lines. */
function trimmed(statement: Statement): Statement {
  const last = blocksOf(statement).flat().at(-1);
  if (last === undefined) return statement;
  return { ...statement, span: { from: statement.span.from, to: last.span.to } };
}

/** The diagnostic that says what a fault says. */
export function faultDiagnostic(fault: SyntaxFault): Parameters<Reading["report"]>[0] {
  const codes = {
    SyntaxError: "python/syntax-error",
    IndentationError: "python/indentation-error",
    unsupported: "python/not-supported",
  } as const;
  return {
    code: codes[fault.kind],
    severity: "error",
    message: fault.message,
    span: fault.span,
    ...(fault.kind === "unsupported" ? {} : { upstream: fault.kind }),
    ...(fault.fixes.length === 0 ? {} : { fixes: fault.fixes }),
  };
}

function lowerStatement(reading: Reading, node: SyntaxNode): Statement {
  const span = spanOf(reading, node);
  switch (node.name) {
    case "ExpressionStatement":
      return { kind: "expression", value: lowerTuple(reading, childNodesOf(reading, node)), span };
    case "YieldStatement":
      return {
        kind: "expression",
        value: lowerYield(reading, node, childNodesOf(reading, node)),
        span,
      };
    case "AssignStatement":
      return lowerAssign(reading, node);
    case "UpdateStatement":
      return lowerUpdate(reading, node);
    case "PassStatement":
      return { kind: "pass", span };
    case "BreakStatement":
      return { kind: "break", span };
    case "ContinueStatement":
      return { kind: "continue", span };
    case "ReturnStatement": {
      const value = childNodesOf(reading, node).slice(1);
      if (value.length === 0) return { kind: "return", span };
      return { kind: "return", value: lowerTuple(reading, value), span };
    }
    case "ScopeStatement": {
      const [word, ...rest] = childNodesOf(reading, node);
      const names = rest.filter((part) => part.name !== ",").map((part) => nameOf(reading, part));
      return { kind: word?.name === "global" ? "global" : "nonlocal", names, span };
    }
    default:
      return lowerRare(reading, node);
  }
}

function lowerRare(reading: Reading, node: SyntaxNode): Statement {
  const span = spanOf(reading, node);
  const parts = childNodesOf(reading, node);
  switch (node.name) {
    case "DeleteStatement": {
      const targets = splitAt(parts.slice(1), ",").map((group) => lowerTuple(reading, group));
      for (const target of targets) checkTarget(target, "delete");
      return { kind: "delete", targets, span };
    }
    case "RaiseStatement":
      return lowerRaise(reading, node, parts);
    case "AssertStatement": {
      const groups = splitAt(parts.slice(1), ",");
      const [test, message, excess] = groups.map((group) => lowerTuple(reading, group));
      if (excess !== undefined) throw invalidSyntax(reading, groups[2]?.[0] ?? node);
      if (test === undefined) throw invalidSyntax(reading, node);
      return { kind: "assert", test, ...(message === undefined ? {} : { message }), span };
    }
    case "ImportStatement":
      return lowerImport(reading, node, parts);
    case "PrintStatement": {
      const message = "Missing parentheses in call to 'print'. Did you mean print(...)?";
      throw new SyntaxFault("SyntaxError", message, span, asCall(reading, node));
    }
    case "MatchStatement":
      return lowerMatch(reading, node, { one: lowerExpression, several: lowerTuple }, lowerBody);
    case "FunctionDefinition":
    case "ClassDefinition":
    case "DecoratedStatement":
      return lowerDefinition(reading, node, lowerBody);
    default:
      return lowerCompound(reading, node, parts, lowerBody);
  }
}

/** `print x` as a call, where what it prints stands on one line and goes nowhere else. */
function asCall(reading: Reading, node: SyntaxNode): readonly Fix[] {
  const printed = /^print[ \t]+([^>\n][^\n]*)$/.exec(textOf(reading, node).trimEnd())?.[1];
  if (printed === undefined || printed.endsWith(",") || printed.includes("#")) return [];
  const text = `print(${printed})`;
  return [{ title: `Write ${text}`, edits: [{ ...spanOf(reading, node), text }] }];
}

/** The statements of a `Body` node. */
function lowerBody(reading: Reading, body: SyntaxNode): readonly Statement[] {
  const nodes = statementNodesOf(body).slice(1);
  const last = nodes.at(-1);
  if (last === undefined || (nodes.length === 1 && last.type.isError)) {
    const line = reading.lineOf(reading.original(body.from));
    const message = `expected an indented block after the statement on line ${line}`;
    throw new SyntaxFault(
      "IndentationError",
      message,
      spanOf(reading, { from: body.from, to: body.from + 1 }),
    );
  }
  return lowerStatements(reading, nodes);
}

function lowerAssign(reading: Reading, node: SyntaxNode): Statement {
  const span = spanOf(reading, node);
  const parts = childNodesOf(reading, node);
  const annotated = parts.findIndex((part) => part.name === "TypeDef");
  if (annotated >= 0) {
    const target = lowerTuple(reading, parts.slice(0, annotated));
    if (target.kind === "tuple" || target.kind === "list") {
      const message = `only single target (not ${target.kind}) can be annotated`;
      throw new SyntaxFault("SyntaxError", message, target.span);
    }
    checkTarget(target, "assign to");
    const value = parts.slice(annotated + 2);
    if (value.length === 0) return { kind: "annotation", target, span };
    return { kind: "annotation", target, value: lowerTuple(reading, value), span };
  }
  const groups = splitAt(parts, "AssignOp").map((group) => lowerTuple(reading, group));
  const value = groups.at(-1);
  const targets = groups.slice(0, -1);
  if (value === undefined || targets.length === 0) throw invalidSyntax(reading, node);
  for (const target of targets) checkTarget(target, "assign to");
  return { kind: "assign", targets, value, span };
}

function lowerUpdate(reading: Reading, node: SyntaxNode): Statement {
  const parts = childNodesOf(reading, node);
  const at = parts.findIndex((part) => part.name === "UpdateOp");
  const operator = parts[at];
  const target = lowerTuple(reading, parts.slice(0, at));
  if (operator === undefined) throw invalidSyntax(reading, node);
  if (!["name", "attribute", "subscript"].includes(target.kind)) {
    const message = `'${target.kind}' is an illegal expression for augmented assignment`;
    throw new SyntaxFault("SyntaxError", message, target.span);
  }
  return {
    kind: "update",
    target,
    operator: textOf(reading, operator).slice(0, -1),
    value: lowerTuple(reading, parts.slice(at + 1)),
    span: spanOf(reading, node),
  };
}

function lowerRaise(reading: Reading, node: SyntaxNode, parts: readonly SyntaxNode[]): Statement {
  const span = spanOf(reading, node);
  const [, value, word, cause] = parts;
  if (value === undefined) return { kind: "raise", span };
  if (word !== undefined && (word.name !== "from" || cause === undefined)) {
    throw invalidSyntax(reading, word);
  }
  return {
    kind: "raise",
    value: lowerExpression(reading, value),
    ...(cause === undefined ? {} : { cause: lowerExpression(reading, cause) }),
    span,
  };
}
