import type { SyntaxNode, Tree } from "@lezer/common";
import { isBinding, isVariable } from "./name-roles.ts";
import { readTree } from "./read-tree.ts";

/** A use of a variable at `[from, to)`, with its scope. */
export interface NameUse {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** Scope number; uses with equal number and name are the same variable. 0 is the module. */
  readonly scope: number;
  /** Whether this use binds the variable. */
  readonly isBinding: boolean;
  /** Range of the enclosing statement or definition. */
  readonly statement: { readonly from: number; readonly to: number };
}

interface Scope {
  readonly number: number;
  readonly kind: "module" | "class" | "function";
  readonly parent: Scope | undefined;
  readonly bound: Set<string>;
  readonly globals: Set<string>;
  readonly nonlocals: Set<string>;
}

interface Found {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly scope: Scope;
  readonly isBinding: boolean;
}

/**
 * Variables of a program in text order, each resolved to its scope by Python's rules. Names of
 * keyword arguments and attributes are excluded. Empty for a malformed text that is long.
 */
export function namesOf(
  source: string,
  tree: Tree | undefined = readTree(source),
): readonly NameUse[] {
  if (tree === undefined) return [];
  const found: Found[] = [];
  let count = 0;
  const open = (kind: Scope["kind"], parent?: Scope): Scope => {
    const empty = { bound: new Set<string>(), globals: new Set<string>() };
    const scope = { number: count, kind, parent, ...empty, nonlocals: new Set<string>() };
    count += 1;
    return scope;
  };
  visit(tree.topNode, open("module"), { source, found, open });
  return found.map(({ node, name, scope, isBinding: binds }) => ({
    name,
    from: node.from,
    to: node.to,
    scope: resolve(scope, name),
    isBinding: binds,
    statement: statementAround(node),
  }));
}

interface Walk {
  readonly source: string;
  readonly found: Found[];
  readonly open: (kind: Scope["kind"], parent?: Scope) => Scope;
}

/** Walks the tree without recursion, since long chains of operators nest deeply. */
function visit(top: SyntaxNode, module: Scope, walk: Walk): void {
  const waiting: { node: SyntaxNode; scope: Scope }[] = [{ node: top, scope: module }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node } = next;
    const scope = insideOf(node, next.scope, walk);
    const children: { node: SyntaxNode; scope: Scope }[] = [];
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (child.name === "VariableName") note(child, scope, next.scope, walk);
      else children.push({ node: child, scope: isOutside(child) ? next.scope : scope });
    }
    waiting.push(...children.reverse());
  }
  walk.found.sort((a, b) => a.node.from - b.node.from);
}

/** The scope of a node's children. */
function insideOf(node: SyntaxNode, scope: Scope, { open }: Walk): Scope {
  switch (node.name) {
    case "ClassDefinition":
      return open("class", scope);
    case "FunctionDefinition":
    case "LambdaExpression":
    case "ArrayComprehensionExpression":
    case "DictionaryComprehensionExpression":
    case "SetComprehensionExpression":
    case "ComprehensionExpression":
      return open("function", scope);
    default:
      return scope;
  }
}

/** Whether a node inside a definition belongs to the outer scope: bases, annotations. */
function isOutside({ name, parent }: SyntaxNode): boolean {
  return name === "TypeDef" || (name === "ArgList" && parent?.name === "ClassDefinition");
}

function note(node: SyntaxNode, inside: Scope, outside: Scope, { source, found }: Walk): void {
  if (!isVariable(node)) return;
  const name = source.slice(node.from, node.to);
  const parent = node.parent?.name ?? "";
  if (parent === "ScopeStatement") {
    const isGlobal = node.parent?.firstChild?.name === "global";
    (isGlobal ? inside.globals : inside.nonlocals).add(name);
    found.push({ node, name, scope: inside, isBinding: false });
    return;
  }
  const isDefinition = parent === "FunctionDefinition" || parent === "ClassDefinition";
  const isDefault = parent === "ParamList" && node.prevSibling?.name === "AssignOp";
  const isWalrus = parent === "NamedExpression" && isBinding(node);
  const near = isDefinition ? outside : isDefault ? (inside.parent ?? inside) : inside;
  const scope = isWalrus ? outOfComprehensions(node, near) : near;
  const binds = isBinding(node);
  if (binds) scope.bound.add(name);
  found.push({ node, name, scope, isBinding: binds });
}

/** Scope in which `:=` binds: the function around its comprehensions. */
function outOfComprehensions(node: SyntaxNode, scope: Scope): Scope {
  let target = scope;
  for (let above = node.parent; above !== null; above = above.parent) {
    if (/Definition$|Lambda/.test(above.name)) break;
    if (/ComprehensionExpression$/.test(above.name)) target = target.parent ?? target;
  }
  return target;
}

/** Number of the scope that a name refers to when used in a scope. */
function resolve(scope: Scope, name: string): number {
  if (scope.globals.has(name)) return 0;
  if (scope.bound.has(name) && !scope.nonlocals.has(name)) return scope.number;
  for (let above = scope.parent; above !== undefined; above = above.parent) {
    if (above.kind === "class") continue;
    if (above.globals.has(name)) return 0;
    if (above.bound.has(name)) return above.number;
  }
  return 0;
}

function statementAround(node: SyntaxNode): NameUse["statement"] {
  let around = node;
  while (around.parent !== null && !/(Statement|Definition|Script|Lambda\w*)$/.test(around.name)) {
    around = around.parent;
  }
  return { from: around.from, to: around.to };
}
