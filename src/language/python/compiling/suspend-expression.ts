import { hasYield, mapChildren } from "../reading/children.ts";
import type { Expression } from "../reading/syntax.ts";
import { callSpecial } from "../values/call.ts";
import { isSubclass } from "../values/classes.ts";
import { advanceOf } from "../values/iterate.ts";
import { none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { Raised } from "../values/signals.ts";
import { truth } from "../values/truth.ts";
import type { GeneratorValue, Resume, Value } from "../values/value.ts";
import type { Compiler } from "./compiler.ts";
import { type Environment, hiddenSlot, type Scope } from "./scope.ts";

/** Runs part of a generator's body; each JavaScript `yield` is a Python one. */
export type Suspend<T> = (environment: Environment) => Generator<Value, T, Value>;

/** Compiles an expression that contains `yield`. */
function compileSuspendingExpression(
  compiler: Compiler,
  scope: Scope,
  expression: Expression,
): Suspend<Value> {
  switch (expression.kind) {
    case "yield": {
      const value =
        expression.value === undefined ? undefined : part(compiler, scope, expression.value);
      return function* run(environment) {
        const result = value === undefined ? none : yield* evaluatePart(value, environment);
        return yield result;
      };
    }
    case "yield-from":
      return suspendFrom(compiler, scope, expression);
    case "conditional":
    case "boolean":
      return suspendChoice(compiler, scope, expression);
    default:
      return suspendParts(compiler, scope, expression);
  }
}

/** A compiled expression, plain or suspending. */
export type Part =
  | { readonly evaluate: (environment: Environment) => Value }
  | { readonly suspend: Suspend<Value> };

export function part(compiler: Compiler, scope: Scope, expression: Expression): Part {
  if (!hasYield(expression)) return { evaluate: compiler.expression(scope, expression) };
  return { suspend: compileSuspendingExpression(compiler, scope, expression) };
}

/** Evaluates a part, suspending if it contains `yield`. */
export function* evaluatePart(of: Part, environment: Environment): Generator<Value, Value, Value> {
  return "evaluate" in of ? of.evaluate(environment) : yield* of.suspend(environment);
}

function suspendChoice(
  compiler: Compiler,
  scope: Scope,
  expression: Extract<Expression, { kind: "conditional" | "boolean" }>,
): Suspend<Value> {
  const { rt } = compiler;
  if (expression.kind === "boolean") {
    const left = part(compiler, scope, expression.left);
    const right = part(compiler, scope, expression.right);
    const stopsAt = expression.operator === "or";
    return function* run(environment) {
      const first = yield* evaluatePart(left, environment);
      if (truth(rt, first, expression.left.span) === stopsAt) return first;
      return yield* evaluatePart(right, environment);
    };
  }
  const test = part(compiler, scope, expression.test);
  const then = part(compiler, scope, expression.whenTrue);
  const otherwise = part(compiler, scope, expression.otherwise);
  return function* run(environment) {
    const verdict = yield* evaluatePart(test, environment);
    const isTrue = truth(rt, verdict, expression.test.span);
    return yield* evaluatePart(isTrue ? then : otherwise, environment);
  };
}

/**
 * Any other expression: operands up to the last `yield` are evaluated first, in order, into hidden
 * slots; the rest contains no `yield`.
 */
function suspendParts(compiler: Compiler, scope: Scope, expression: Expression): Suspend<Value> {
  const { parts, rest } = holdParts(compiler, scope, expression);
  const evaluate = compiler.expression(scope, rest);
  return function* run(environment) {
    for (const { slot, value } of parts)
      environment.slots[slot] = yield* evaluatePart(value, environment);
    return evaluate(environment);
  };
}

function holdParts(
  compiler: Compiler,
  scope: Scope,
  expression: Expression,
): {
  readonly parts: readonly { readonly slot: number; readonly value: Part }[];
  readonly rest: Expression;
} {
  const parts: { slot: number; value: Part }[] = [];
  const hold = (child: Expression): Expression => {
    if (child.kind === "starred") return { ...child, value: hold(child.value) };
    const slot = hiddenSlot(scope);
    parts.push({ slot, value: part(compiler, scope, child) });
    return { kind: "held", slot, span: child.span };
  };
  const isComprehension = expression.kind === "comprehension";
  let isFirst = true;
  const rest = mapChildren(expression, (child) => {
    const isHeld = isComprehension
      ? hasYield(child)
      : isFirst || hasYield(child) || parts.length > 0;
    isFirst = false;
    return isHeld && child.kind !== "slice" ? hold(child) : child;
  });
  return { parts, rest };
}

/**
 * `yield from`: passes items out and sent values in; its value is the inner generator's return
 * value.
 */
function suspendFrom(
  compiler: Compiler,
  scope: Scope,
  expression: Extract<Expression, { kind: "yield-from" }>,
): Suspend<Value> {
  const { rt } = compiler;
  const value = part(compiler, scope, expression.value);
  const { span } = expression.value;
  return function* run(environment) {
    const source = yield* evaluatePart(value, environment);
    const inner = callSpecial(rt, source, "__iter__", [], span) ?? source;
    if (inner.kind === "generator") return yield* delegate(rt, inner, span);
    const advance = advanceOf(rt, inner, span);
    for (let item = advance(); item !== undefined; item = advance()) yield item;
    return none;
  };
}

function* delegate(
  rt: Runtime,
  inner: GeneratorValue,
  span: Expression["span"],
): Generator<Value, Value, Value> {
  let how: Resume = { send: none };
  for (;;) {
    const { done, value } = inner.resume(how, span);
    if (done) return value;
    try {
      how = { send: yield value };
    } catch (signal) {
      const isExit =
        signal instanceof Raised && isSubclass(signal.exception.type, rt.type("GeneratorExit"));
      if (isExit) inner.resume({ raise: signal }, span);
      how = { raise: signal };
    }
  }
}
