import type { SyntaxNodeRef, Tree } from "@lezer/common";
import { parser } from "@lezer/python";
import { fieldOf } from "#core/records";
import { createTreeReader, recoveryBudget, strictTree, type TreeReader } from "./read-tree.ts";
import { scanTokens } from "./scan-tokens.ts";
import type { Token, TokenKind } from "./token.ts";

const pieceLength = 2_000;

/**
 * Tokens of a program in order, without overlap; white space has none. Malformed text is coloured
 * as far as it can be parsed. The work is linear in the length.
 */
export function tokensOf(source: string): readonly Token[] {
  return createTokenizer()(source);
}

/**
 * `tokensOf` for a text that is being edited: the cost of an edit depends on the changed part, not
 * on the whole text.
 *
 * @param trees tree reader, when others share it
 */
export function createTokenizer(
  trees: TreeReader = createTreeReader(),
): (source: string) => readonly Token[] {
  let pieces: ReadonlyMap<string, readonly Token[]> = new Map();
  return (source) => {
    const tree = trees.strict(source);
    if (tree !== undefined) return tokensIn(tree);
    const read = pieceTokens(source, pieces);
    pieces = read.pieces;
    return read.tokens;
  };
}

/** Tokens of a malformed text by statements; known statements are not tokenized again. */
function pieceTokens(
  source: string,
  known: ReadonlyMap<string, readonly Token[]>,
): { readonly tokens: readonly Token[]; readonly pieces: ReadonlyMap<string, readonly Token[]> } {
  const tokens: Token[] = [];
  const pieces = new Map<string, readonly Token[]>();
  let budget = recoveryBudget;
  for (const { from, to } of unindentedSpans(source)) {
    const text = source.slice(from, to);
    let found = known.get(text) ?? pieces.get(text);
    if (found === undefined) {
      const tree = strictTree(text);
      const mayRecover = tree === undefined && text.length <= budget;
      if (mayRecover) budget -= text.length;
      const read = tree ?? (mayRecover ? parser.parse(text) : undefined);
      found = read === undefined ? scanTokens(text, 0) : tokensIn(read);
    }
    pieces.set(text, found);
    for (const token of found) {
      tokens.push({ from: token.from + from, to: token.to + from, kind: token.kind });
    }
  }
  return { tokens, pieces };
}

function tokensIn(tree: Tree): readonly Token[] {
  const tokens: Token[] = [];
  const add = (from: number, to: number, kind: TokenKind) => {
    if (to > from) tokens.push({ from, to, kind });
  };
  tree.iterate({ enter: (node) => visit(node, add) });
  return tokens;
}

type Add = (from: number, to: number, kind: TokenKind) => void;

/** Adds a node's token; false where its children are part of it. */
function visit(node: SyntaxNodeRef, add: Add): boolean {
  const { name, from, to } = node;
  if (name === "String") {
    addString(node, add);
    return false;
  }
  if (name === "FormatString") {
    addFormatString(node, add);
    return false;
  }
  const kind = kindOf(node);
  if (kind === undefined) return true;
  add(from, to, kind);
  return false;
}

function kindOf(node: SyntaxNodeRef): TokenKind | undefined {
  const { name, type } = node;
  const known = kinds.get(name);
  if (known !== undefined) return known;
  if (name === "VariableName") return nameKind(node);
  if (name === "PropertyName") return isCallee(node) ? "function" : "property";
  const isLost = type.isError && node.to > node.from && node.node.firstChild === null;
  return isLost ? "invalid" : undefined;
}

/** Token kind that follows from a grammar node's name alone; else `undefined`. */
function kindOfName(name: string): TokenKind | undefined {
  if (/^[a-z]+$/.test(name)) return "keyword";
  return /^\W+$/.test(name) && name !== "⚠" ? "punctuation" : undefined;
}

const special: Readonly<Record<string, TokenKind>> = {
  Comment: "comment",
  Number: "number",
  Boolean: "constant",
  None: "constant",
  Ellipsis: "constant",
  ArithOp: "operator",
  BitOp: "operator",
  CompareOp: "operator",
  AssignOp: "operator",
  UpdateOp: "operator",
  LogicOp: "operator",
  At: "decorator",
  Escape: "escape",
  "*": "operator",
  "**": "operator",
  FormatConversion: "punctuation",
  FormatSelfDoc: "punctuation",
};

/** Table by node name, built once because it is used for every node. */
const kinds: ReadonlyMap<string, TokenKind> = new Map(
  parser.nodeSet.types.flatMap(({ name }) => {
    const kind = fieldOf(special, name) ?? kindOfName(name);
    return kind === undefined ? [] : [[name, kind]];
  }),
);

function nameKind(node: SyntaxNodeRef): TokenKind {
  const { parent } = node.node;
  switch (parent?.name) {
    case "FunctionDefinition":
      return isFirstName(node) ? "function" : "name";
    case "ClassDefinition":
      return isFirstName(node) ? "class" : "name";
    case "CallExpression":
      return parent.from === node.from ? "function" : "name";
    case "Decorator":
      return "decorator";
    case "ParamList":
      return node.node.prevSibling?.name === "AssignOp" ? "name" : "parameter";
    case "ArgList":
      return node.node.nextSibling?.name === "AssignOp" ? "parameter" : "name";
    default:
      return "name";
  }
}

function isFirstName({ node, from }: SyntaxNodeRef): boolean {
  return node.parent?.getChild("VariableName")?.from === from;
}

/** Whether a property is the callee: `x.name(…)`. */
function isCallee(node: SyntaxNodeRef): boolean {
  const member = node.node.parent;
  const call = member?.parent;
  return call?.name === "CallExpression" && call.from === member?.from && call.to !== member?.to;
}

function addString(node: SyntaxNodeRef, add: Add): void {
  let at = node.from;
  for (let child = node.node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name !== "Escape") continue;
    add(at, child.from, "string");
    add(child.from, child.to, "escape");
    at = child.to;
  }
  add(at, node.to, "string");
}

/** Text parts of an f-string are strings; replacement fields are code. */
function addFormatString(node: SyntaxNodeRef, add: Add): void {
  let at = node.from;
  for (let child = node.node.firstChild; child !== null; child = child.nextSibling) {
    add(at, child.from, "string");
    if (child.name === "Escape") add(child.from, child.to, "escape");
    else child.cursor().iterate((inner) => visit(inner, add));
    at = child.to;
  }
  add(at, node.to, "string");
}

/** Shortest pieces of a text that begin with an unindented line. */
function unindentedSpans(
  source: string,
): readonly { readonly from: number; readonly to: number }[] {
  const starts: number[] = [0];
  const start = /^(?=[^\s#)\]}])/gm;
  for (let found = start.exec(source); found !== null; found = start.exec(source)) {
    if (found.index > 0) starts.push(found.index);
    start.lastIndex = found.index + 1;
  }
  return starts.flatMap((from, index) => split(from, starts[index + 1] ?? source.length));
}

function split(
  from: number,
  to: number,
): readonly { readonly from: number; readonly to: number }[] {
  const pieces: { from: number; to: number }[] = [];
  for (let at = from; at < to; at += pieceLength * 4) {
    pieces.push({ from: at, to: Math.min(to, at + pieceLength * 4) });
  }
  return pieces;
}
