import type { SyntaxNode } from "@lezer/common";

/**
 * Whether a `VariableName` node is a variable: neither a keyword argument's name nor part of a
 * dotted path.
 */
export function isVariable(node: SyntaxNode): boolean {
  const { parent, prevSibling, nextSibling } = node;
  if (prevSibling?.name === ".") return false;
  switch (parent?.name) {
    case "ArgList":
      return !(nextSibling?.name === "AssignOp" && /^[(,]$/.test(prevSibling?.name ?? ""));
    case "KeywordPattern":
      return false;
    case "ImportStatement":
      return isBinding(node);
    default:
      return true;
  }
}

/** Whether a variable is bound here. */
export function isBinding(node: SyntaxNode): boolean {
  let inner = node;
  while (
    inner.parent !== null &&
    /^(Tuple|Array|Parenthesized)Expression$/.test(inner.parent.name)
  ) {
    inner = inner.parent;
  }
  const { parent, prevSibling } = inner;
  switch (parent?.name) {
    case "AssignStatement":
      return parent.getChildren("AssignOp").some(({ from }) => inner.to <= from);
    case "UpdateStatement":
    case "NamedExpression":
      return parent.firstChild?.from === inner.from;
    case "DeleteStatement":
    case "CapturePattern":
      return true;
    case "ParamList":
      return prevSibling?.name !== "AssignOp";
    case "FunctionDefinition":
    case "ClassDefinition":
      return inner === node && parent.getChild("VariableName")?.from === node.from;
    case "ImportStatement":
      return isImported(node);
    case "WithStatement":
    case "TryStatement":
    case "AsPattern":
      return prevSibling?.name === "as";
    default:
      return isLoopTarget(inner);
  }
}

/** Whether a node is the target in `for target in …`, of a statement or comprehension. */
function isLoopTarget({ parent, prevSibling }: SyntaxNode): boolean {
  if (!/^(ForStatement|\w*ComprehensionExpression)$/.test(parent?.name ?? "")) return false;
  let before = prevSibling;
  while (before !== null && !/^(for|in|if)$/.test(before.name)) before = before.prevSibling;
  return before?.name === "for";
}

/** Whether a name in an import is the one that the program binds. */
function isImported(node: SyntaxNode): boolean {
  if (node.prevSibling?.name === "as") return true;
  let next = node.nextSibling;
  while (next !== null && (next.name === "." || next.prevSibling?.name === ".")) {
    next = next.nextSibling;
  }
  if (next?.name === "as") return false;
  let before = node.prevSibling;
  while (before !== null && before.name !== "import") before = before.prevSibling;
  return before !== null;
}
