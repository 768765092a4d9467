import { childrenOf } from "../reading/children.ts";
import type { Expression } from "../reading/syntax.ts";
import { getAttribute } from "../values/attributes.ts";
import { compare } from "../values/compare.ts";
import { binary, unary } from "../values/operators.ts";
import { none } from "../values/plain-values.ts";
import { getItem } from "../values/subscript.ts";
import { truth } from "../values/truth.ts";
import type { Value } from "../values/value.ts";
import { compileCall, spanTreeOf } from "./compile-call.ts";
import { compileComprehension } from "./compile-comprehension.ts";
import { compileDict, compileItems, compileSet } from "./compile-container.ts";
import { compileFormat } from "./compile-format.ts";
import { compileName, compileNameStore } from "./compile-name.ts";
import type { Compiler } from "./compiler.ts";
import type { Evaluate, Scope } from "./scope.ts";

/** Compiles an expression into a closure. */
export function compileExpression(
  compiler: Compiler,
  scope: Scope,
  expression: Expression,
): Evaluate {
  const { span } = expression;
  switch (expression.kind) {
    case "constant": {
      const { value } = expression;
      return () => value;
    }
    case "name":
      return compileName(compiler, scope, expression.name, span);
    case "held": {
      const { slot } = expression;
      return (environment) => environment.slots[slot] ?? none;
    }
    case "tuple":
    case "list":
      return compileItems(compiler, scope, expression.kind, expression.items, span);
    case "set":
      return compileSet(compiler, scope, expression.items, span);
    case "dict":
      return compileDict(compiler, scope, expression.entries, span);
    case "call":
      return compileCall(compiler, scope, expression);
    case "comprehension":
      return compileComprehension(compiler, scope, expression);
    case "format":
      return compileFormat(compiler, scope, expression.parts, span);
    case "lambda":
      return compiler.definition(scope, expression.definition);
    default:
      return compileOperation(compiler, scope, expression);
  }
}

type Operation = Extract<
  Expression,
  {
    kind:
      | "unary"
      | "binary"
      | "boolean"
      | "compare"
      | "conditional"
      | "attribute"
      | "subscript"
      | "slice"
      | "walrus"
      | "starred"
      | "yield"
      | "yield-from";
  }
>;

function compileOperation(compiler: Compiler, scope: Scope, expression: Operation): Evaluate {
  const { rt } = compiler;
  const { span } = expression;
  const [first = none1, second = none1] = childrenOf(expression).map((child) =>
    expression.kind === "compare" || expression.kind === "slice"
      ? none1
      : compiler.expression(scope, child),
  );
  switch (expression.kind) {
    case "unary": {
      const { operator } = expression;
      return (environment) => unary(rt, operator, first(environment), span);
    }
    case "binary": {
      const { operator } = expression;
      return (environment) => {
        const left = first(environment);
        return binary(rt, operator, left, second(environment), span);
      };
    }
    case "boolean": {
      const stopsAt = expression.operator === "or";
      const at = expression.left.span;
      return (environment) => {
        const left = first(environment);
        return truth(rt, left, at) === stopsAt ? left : second(environment);
      };
    }
    case "compare":
      return compileComparison(compiler, scope, expression);
    case "conditional":
      return compileConditional(compiler, scope, expression);
    case "attribute": {
      const { name } = expression;
      return (environment) => getAttribute(rt, first(environment), name, span);
    }
    case "subscript":
      return (environment) => {
        const object = first(environment);
        return getItem(rt, object, second(environment), span);
      };
    case "slice":
      return compileSlice(compiler, scope, expression);
    case "walrus":
      return compileWalrus(compiler, scope, expression);
    case "starred":
      return () => rt.fail("SyntaxError", "can't use starred expression here", span);
    default:
      return () => rt.fail("SyntaxError", "'yield' outside function", span);
  }
}

const none1: Evaluate = () => none;

function compileComparison(
  compiler: Compiler,
  scope: Scope,
  expression: Extract<Expression, { kind: "compare" }>,
): Evaluate {
  const { rt } = compiler;
  const { span } = expression;
  const first = compiler.expression(scope, expression.first);
  const rest = expression.rest.map(({ operator, right }) => ({
    operator,
    right: compiler.expression(scope, right),
  }));
  const [only] = rest;
  if (rest.length === 1 && only !== undefined) {
    const { operator, right } = only;
    return (environment) => {
      const left = first(environment);
      return compare(rt, operator, left, right(environment), span);
    };
  }
  return (environment) => {
    let left = first(environment);
    let result: Value = none;
    for (const { operator, right } of rest) {
      const next = right(environment);
      result = compare(rt, operator, left, next, span);
      if (!truth(rt, result, span)) return result;
      left = next;
    }
    return result;
  };
}

function compileConditional(
  compiler: Compiler,
  scope: Scope,
  expression: Extract<Expression, { kind: "conditional" }>,
): Evaluate {
  const { rt } = compiler;
  const test = compiler.expression(scope, expression.test);
  const then = compiler.expression(scope, expression.whenTrue);
  const otherwise = compiler.expression(scope, expression.otherwise);
  const { span } = expression.test;
  return (environment) =>
    truth(rt, test(environment), span) ? then(environment) : otherwise(environment);
}

function compileSlice(
  compiler: Compiler,
  scope: Scope,
  expression: Extract<Expression, { kind: "slice" }>,
): Evaluate {
  const [start, stop, step] = [expression.start, expression.stop, expression.step].map((part) =>
    part === undefined ? none1 : compiler.expression(scope, part),
  );
  return (environment) => ({
    kind: "slice",
    start: start?.(environment) ?? none,
    stop: stop?.(environment) ?? none,
    step: step?.(environment) ?? none,
  });
}

function compileWalrus(
  compiler: Compiler,
  scope: Scope,
  expression: Extract<Expression, { kind: "walrus" }>,
): Evaluate {
  const value = compiler.expression(scope, expression.value);
  let home = scope;
  let hops = 0;
  while (home.kind === "comprehension" && home.parent !== undefined) {
    home = home.parent;
    hops += 1;
  }
  const tree = spanTreeOf(expression.value);
  const store = compileNameStore(compiler, home, expression.name, expression.nameSpan, tree);
  return (environment) => {
    const result = value(environment);
    let target = environment;
    for (let hop = 0; hop < hops; hop += 1) target = target.parent ?? target;
    store(target, result);
    return result;
  };
}
