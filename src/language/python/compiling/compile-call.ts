import type { Span } from "#core/diagnostics";
import type { ArgumentNode, Expression } from "../reading/syntax.ts";
import { getAttribute } from "../values/attributes.ts";
import { call, callMethod } from "../values/call.ts";
import { lookUp, plain, typeName } from "../values/classes.ts";
import type { Argument, SpanTree } from "../values/host.ts";
import { canIterate, starredItems } from "../values/iterate.ts";
import type { Runtime } from "../values/runtime.ts";
import type { ClassValue, Value } from "../values/value.ts";
import { compileLocals } from "./compile-locals.ts";
import { isBuiltinName } from "./compile-name.ts";
import type { Compiler } from "./compiler.ts";
import type { Environment, Evaluate, Scope } from "./scope.ts";

type CallExpression = Extract<Expression, { kind: "call" }>;

/** `callee(args)`. */
export function compileCall(
  compiler: Compiler,
  scope: Scope,
  expression: CallExpression,
): Evaluate {
  const { rt } = compiler;
  const { callee, span } = expression;
  const own = expression.args.length === 0 ? compileOwn(compiler, scope, expression) : undefined;
  if (own !== undefined) return own;
  const gather = compileArguments(compiler, scope, expression.args);
  if (callee.kind === "attribute") return compileMethodCall(compiler, scope, expression, gather);
  const evaluate = compiler.expression(scope, callee);
  return (environment) => {
    const target = evaluate(environment);
    return call(rt, target, gather(environment), span);
  };
}

/**
 * `super()` and `locals()`, which depend on the enclosing function; `undefined` for other calls.
 */
function compileOwn(
  { rt }: Compiler,
  scope: Scope,
  { callee, span }: CallExpression,
): Evaluate | undefined {
  if (callee.kind !== "name" || !isBuiltinName(scope, callee.name)) return undefined;
  if (callee.name === "locals") return compileLocals(scope);
  return callee.name === "super" ? compileSuper(rt, scope, span) : undefined;
}

type Gather = (environment: Environment) => readonly Argument[];

/** `object.name(args)`, without creating a bound method object. */
function compileMethodCall(
  compiler: Compiler,
  scope: Scope,
  expression: CallExpression,
  gather: Gather,
): Evaluate {
  const { rt } = compiler;
  const { callee, span } = expression;
  if (callee.kind !== "attribute") throw new Error("the callee is an attribute");
  const object = compiler.expression(scope, callee.object);
  const { name } = callee;
  return (environment) => {
    const self = object(environment);
    const builtin = rt.methodsOf(self.kind)?.get(name);
    if (builtin !== undefined) {
      rt.tick(2, span);
      return builtin(self, gather(environment), span);
    }
    if (self.kind === "instance" && !self.attributes.has(name)) {
      const shared = lookUp(self.type, name);
      if (shared?.kind === "function")
        return callMethod(rt, shared, self, gather(environment), span);
    }
    const target = getAttribute(rt, self, name, callee.span);
    return call(rt, target, gather(environment), span);
  };
}

/** Arguments of a call, with spans and span trees; stars are expanded. */
export function compileArguments(
  compiler: Compiler,
  scope: Scope,
  args: readonly ArgumentNode[],
): Gather {
  const { rt } = compiler;
  const parts = args.map((node): Part => {
    return { node, evaluate: compiler.expression(scope, node.value), tree: undefined };
  });
  const hasStar = args.some(({ star }) => star !== "");
  if (!hasStar) {
    return (environment) =>
      parts.map((part) => argument(part.node, part.evaluate(environment), treeOf(part)));
  }
  return (environment) => {
    const gathered: Argument[] = [];
    for (const part of parts) {
      const { node } = part;
      const value = part.evaluate(environment);
      const tree = treeOf(part);
      if (node.star === "*") gathered.push(...starred(rt, value, tree, node.value.span));
      else if (node.star === "**") gathered.push(...keywords(rt, value, tree, node.value.span));
      else gathered.push(argument(node, value, tree));
    }
    checkRepeated(rt, gathered);
    return gathered;
  };
}

/** One argument of a call; its span tree is built at the first call. */
interface Part {
  readonly node: ArgumentNode;
  readonly evaluate: Evaluate;
  tree: SpanTree | undefined;
}

function treeOf(part: Part): SpanTree {
  part.tree ??= spanTreeOf(part.node.value);
  return part.tree;
}

function argument({ name, nameSpan, value }: ArgumentNode, of: Value, tree: SpanTree): Argument {
  if (name === undefined || nameSpan === undefined) return { value: of, span: value.span, tree };
  return { value: of, span: value.span, tree, name, nameSpan };
}

function starred(rt: Runtime, value: Value, tree: SpanTree, span: Span): readonly Argument[] {
  if (!canIterate(value)) {
    const message = `argument after * must be an iterable, not ${typeName(value)}`;
    rt.fail("TypeError", message, span);
  }
  const items = starredItems(rt, value, span);
  const isLiteral =
    tree.items.length === items.length && (tree.kind === "tuple" || tree.kind === "list");
  return items.map((item, index) => {
    const part = isLiteral ? tree.items[index] : undefined;
    return part === undefined
      ? { value: item, span }
      : { value: item, span: part.span, tree: part };
  });
}

function keywords(rt: Runtime, value: Value, tree: SpanTree, span: Span): readonly Argument[] {
  const inner = plain(value);
  if (rt.host.isUnknown?.(value) === true) return [];
  if (inner.kind !== "dict") {
    const message = `argument after ** must be a mapping, not ${typeName(value)}`;
    return rt.fail("TypeError", message, span);
  }
  return [...inner.entries.values()].map(({ key, value: item }) => {
    if (key.kind !== "str") return rt.fail("TypeError", "keywords must be strings", span);
    const part = tree.items.find((entry) => entry.key === key.value);
    const place = part === undefined ? { span } : { span: part.span, tree: part };
    return { value: item, name: key.value, nameSpan: part?.keySpan ?? span, ...place };
  });
}

function checkRepeated(rt: Runtime, args: readonly Argument[]): void {
  const names = new Set<string>();
  for (const { name, nameSpan, span } of args) {
    if (name === undefined) continue;
    if (names.has(name)) {
      const message = `got multiple values for keyword argument '${name}'`;
      rt.fail("TypeError", message, nameSpan ?? span);
    }
    names.add(name);
  }
}

/** `super()`: class around the method, and the method's first parameter. */
function compileSuper(rt: Runtime, scope: Scope, span: Span): Evaluate {
  let home = scope;
  let hops = 0;
  while (home.kind !== "function" && home.parent !== undefined) {
    home = home.parent;
    hops += 1;
  }
  return (environment) => {
    let inner = environment;
    for (let hop = 0; hop < hops; hop += 1) inner = inner.parent ?? inner;
    const self = home.kind === "function" ? inner.slots[0] : undefined;
    const after = ownerOf(inner);
    if (self === undefined || after === undefined) {
      return rt.fail("RuntimeError", "super(): no arguments", span);
    }
    return { kind: "super", after, self };
  };
}

function ownerOf(environment: Environment): ClassValue | undefined {
  let found: Environment | undefined = environment;
  while (found !== undefined && found.owner === undefined) found = found.parent;
  return found?.owner;
}

/** Span tree of an expression, for edits of its parts. */
export function spanTreeOf(expression: Expression): SpanTree {
  const { span } = expression;
  switch (expression.kind) {
    case "tuple":
    case "list":
      return { kind: expression.kind, span, items: expression.items.map(spanTreeOf) };
    case "dict":
      return {
        kind: "dict",
        span,
        items: expression.entries.map(({ key, value }) => entryTree(key, value)),
      };
    case "call": {
      const name = pathOf(expression.callee);
      const items = expression.args.map(argumentTree);
      return name === undefined
        ? { kind: "call", span, items }
        : { kind: "call", span, items, name };
    }
    case "name":
      return { kind: "name", span, items: [], name: expression.name };
    case "attribute": {
      const name = pathOf(expression);
      if (name === undefined) return { kind: "other", span, items: [] };
      return { kind: "name", span, items: [], name };
    }
    case "constant":
    case "format":
      return { kind: "literal", span, items: [] };
    case "unary":
      return {
        kind: expression.operand.kind === "constant" ? "literal" : "other",
        span,
        items: [],
      };
    default:
      return { kind: "other", span, items: [] };
  }
}

function entryTree(key: Expression | undefined, value: Expression): SpanTree {
  const tree = spanTreeOf(value);
  if (key?.kind !== "constant" || key.value.kind !== "str") return tree;
  return { ...tree, key: key.value.value, keySpan: key.span };
}

function argumentTree({ value, name, nameSpan }: ArgumentNode): SpanTree {
  const tree = spanTreeOf(value);
  if (name === undefined || nameSpan === undefined) return tree;
  return { ...tree, key: name, keySpan: nameSpan };
}

/** `a.b.c` as text for an attribute path; `undefined` for other expressions. */
function pathOf(expression: Expression): string | undefined {
  if (expression.kind === "name") return expression.name;
  if (expression.kind !== "attribute") return undefined;
  const object = pathOf(expression.object);
  return object === undefined ? undefined : `${object}.${expression.name}`;
}
