import type { SyntaxNode } from "@lezer/common";
import type { Diagnostic, Fix, Span } from "#core/diagnostics";

/** Text that is no Python, found while the tree is read; ends the statement it stands in. */
export class SyntaxFault {
  readonly kind: "SyntaxError" | "IndentationError" | "unsupported";
  readonly message: string;
  readonly span: Span;
  readonly fixes: readonly Fix[];
  constructor(kind: SyntaxFault["kind"], message: string, span: Span, fixes: readonly Fix[] = []) {
    this.kind = kind;
    this.message = message;
    this.span = span;
    this.fixes = fixes;
  }
}

/** What lowering carries along: the text, and where its parts stand in the text as given. */
export interface Reading {
  readonly text: string;
  /** The text as given. */
  readonly source: string;
  /** The offset in the text as given, for an offset in `text`. */
  readonly original: (offset: number) => number;
  /** The line of an offset in the text as given. */
  readonly lineOf: (offset: number) => number;
  /** How many brackets and operators are open around the node that is being read. */
  depth: number;
  /** The class around the node, whose private names (`__x`) are its own. */
  owner: string | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** CPython's tokenizer gives up at 200 brackets; the evaluator recurses over what it reads. */
const deepest = 200;

export function spanOf(reading: Reading, node: { from: number; to: number }): Span {
  return { from: reading.original(node.from), to: reading.original(node.to) };
}

export function textOf(reading: Reading, node: { from: number; to: number }): string {
  return reading.text.slice(node.from, node.to);
}

/** The name that a node spells; inside a class `__x` is `_Class__x`. */
export function nameOf(reading: Reading, node: { from: number; to: number }): string {
  const text = textOf(reading, node).normalize("NFKC");
  const { owner } = reading;
  const isPrivate = owner !== undefined && text.startsWith("__") && !text.endsWith("__");
  return isPrivate ? `_${owner.replace(/^_+/, "")}${text}` : text;
}

/** The node's children without comments. Error nodes raise, so what follows may trust the shape. */
export function childNodesOf(reading: Reading, node: SyntaxNode): readonly SyntaxNode[] {
  const parts: SyntaxNode[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.type.isError) throw invalidSyntax(reading, child);
    if (child.name !== "Comment") parts.push(child);
  }
  return parts;
}

export function invalidSyntax(reading: Reading, node: { from: number; to: number }): SyntaxFault {
  return new SyntaxFault("SyntaxError", "invalid syntax", spanOf(reading, node));
}

/** Something of Python that this evaluator does not have. */
export function unsupported(reading: Reading, what: string, node: SyntaxNode): SyntaxFault {
  return new SyntaxFault("unsupported", `${what} is not supported here`, spanOf(reading, node));
}

/** Runs `read` one level deeper, so that a text of a thousand brackets ends in a fault. */
export function deeper<T>(reading: Reading, node: SyntaxNode, read: () => T): T {
  if (reading.depth >= deepest) {
    throw new SyntaxFault("SyntaxError", "too many nested parentheses", spanOf(reading, node));
  }
  reading.depth += 1;
  try {
    return read();
  } finally {
    reading.depth -= 1;
  }
}

/** Splits children at separators of the given name. */
export function splitAt(
  parts: readonly SyntaxNode[],
  separator: string,
): readonly (readonly SyntaxNode[])[] {
  const groups: SyntaxNode[][] = [[]];
  for (const part of parts) {
    if (part.name === separator) groups.push([]);
    else groups.at(-1)?.push(part);
  }
  return groups.filter((group) => group.length > 0);
}
