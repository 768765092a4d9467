import { blockHasYield, hasYield } from "../reading/children.ts";
import type { Expression, Statement } from "../reading/syntax.ts";
import { advanceOf } from "../values/iterate.ts";
import { Raised } from "../values/signals.ts";
import { truth } from "../values/truth.ts";
import { compileStatement } from "./compile-statement.ts";
import { type CompiledHandler, compileHandler, compileManager } from "./compile-try.ts";
import type { Compiler } from "./compiler.ts";
import {
  type Completion,
  completion,
  type Environment,
  type Execute,
  hiddenSlot,
  type Scope,
} from "./scope.ts";
import { evaluatePart, type Part, part, type Suspend } from "./suspend-expression.ts";

/** A compiled statement, plain or suspending. */
type Step = { readonly execute: Execute } | { readonly suspend: Suspend<Completion> };
type Of<Kind> = Extract<Statement, { kind: Kind }>;

/**
 * Compiles a block that contains `yield`. Statements without one compile as usual; the others
 * become JavaScript generators.
 */
export function compileSuspendingBlock(
  compiler: Compiler,
  scope: Scope,
  block: readonly Statement[],
): Suspend<Completion> {
  const steps = block.map((statement) => compileStep(compiler, scope, statement));
  return function* run(environment) {
    for (const step of steps) {
      const end = "execute" in step ? step.execute(environment) : yield* step.suspend(environment);
      if (end !== completion.next) return end;
    }
    return completion.next;
  };
}

function compileStep(compiler: Compiler, scope: Scope, statement: Statement): Step {
  if (!blockHasYield([statement])) return { execute: compileStatement(compiler, scope, statement) };
  switch (statement.kind) {
    case "if":
      return { suspend: suspendIf(compiler, scope, statement) };
    case "while":
      return { suspend: suspendWhile(compiler, scope, statement) };
    case "for":
      return { suspend: suspendFor(compiler, scope, statement) };
    case "try":
      return { suspend: suspendTry(compiler, scope, statement) };
    case "with":
      return { suspend: suspendWith(compiler, scope, statement) };
    default:
      return { suspend: suspendSimple(compiler, scope, statement) };
  }
}

/**
 * A simple statement whose value contains `yield`: the value is evaluated first, into a hidden
 * slot.
 */
function suspendSimple(
  compiler: Compiler,
  scope: Scope,
  statement: Statement,
): Suspend<Completion> {
  const value = valueIn(statement);
  if (value === undefined || !hasYield(value)) {
    return () => compiler.rt.lacks("yield at this place", statement.span);
  }
  const slot = hiddenSlot(scope);
  const held: Expression = { kind: "held", slot, span: value.span };
  const rest = compileStatement(compiler, scope, withValue(statement, held));
  const source = part(compiler, scope, value);
  return function* run(environment) {
    environment.slots[slot] = yield* evaluatePart(source, environment);
    return rest(environment);
  };
}

function valueIn(statement: Statement): Expression | undefined {
  switch (statement.kind) {
    case "expression":
    case "assign":
    case "annotation":
    case "return":
    case "raise":
    case "update":
      return statement.value;
    case "assert":
      return statement.test;
    case "match":
      return statement.subject;
    default:
      return undefined;
  }
}

function withValue(statement: Statement, value: Expression): Statement {
  if (statement.kind === "assert") return { ...statement, test: value };
  if (statement.kind === "match") return { ...statement, subject: value };
  return { ...statement, value } as Statement;
}

function suspendIf(compiler: Compiler, scope: Scope, statement: Of<"if">): Suspend<Completion> {
  const { rt } = compiler;
  const branches = statement.branches.map(({ test, body }) => ({
    span: test.span,
    test: part(compiler, scope, test),
    body: compileSuspendingBlock(compiler, scope, body),
  }));
  const otherwise = compileSuspendingBlock(compiler, scope, statement.otherwise);
  return function* run(environment) {
    for (const { test, span, body } of branches) {
      const verdict = yield* evaluatePart(test, environment);
      if (truth(rt, verdict, span)) return yield* body(environment);
    }
    return yield* otherwise(environment);
  };
}

function suspendWhile(
  compiler: Compiler,
  scope: Scope,
  statement: Of<"while">,
): Suspend<Completion> {
  const { rt } = compiler;
  const { span } = statement.test;
  const test = part(compiler, scope, statement.test);
  const body = compileSuspendingBlock(compiler, scope, statement.body);
  const otherwise = compileSuspendingBlock(compiler, scope, statement.otherwise);
  return function* run(environment) {
    for (;;) {
      rt.tick(2, span);
      const verdict = yield* evaluatePart(test, environment);
      if (!truth(rt, verdict, span)) return yield* otherwise(environment);
      const end = yield* body(environment);
      if (end === completion.break) return completion.next;
      if (end === completion.return) return end;
    }
  };
}

function suspendFor(compiler: Compiler, scope: Scope, statement: Of<"for">): Suspend<Completion> {
  const { rt } = compiler;
  const { span } = statement.iterable;
  const iterable = part(compiler, scope, statement.iterable);
  const store = compiler.target(scope, statement.target);
  const body = compileSuspendingBlock(compiler, scope, statement.body);
  const otherwise = compileSuspendingBlock(compiler, scope, statement.otherwise);
  return function* run(environment) {
    const source = yield* evaluatePart(iterable, environment);
    const advance = advanceOf(rt, source, span);
    for (let item = advance(); item !== undefined; item = advance()) {
      store(environment, item);
      const end = yield* body(environment);
      if (end === completion.break) return completion.next;
      if (end === completion.return) return end;
    }
    return yield* otherwise(environment);
  };
}

function suspendTry(compiler: Compiler, scope: Scope, statement: Of<"try">): Suspend<Completion> {
  const handlers = statement.handlers.map((handler) => ({
    ...compileHandler(compiler, scope, handler),
    block: compileSuspendingBlock(compiler, scope, handler.body),
  }));
  const body = compileSuspendingBlock(compiler, scope, statement.body);
  const otherwise = compileSuspendingBlock(compiler, scope, statement.otherwise);
  const final = compileSuspendingBlock(compiler, scope, statement.final);
  const guarded: Suspend<Completion> = function* run(environment) {
    let end: Completion;
    try {
      end = yield* body(environment);
    } catch (signal) {
      const handler =
        signal instanceof Raised ? findHandler(handlers, environment, signal) : undefined;
      if (handler === undefined || !(signal instanceof Raised)) throw signal;
      handler.enter(environment, signal);
      try {
        return yield* handler.block(environment);
      } finally {
        handler.leave(environment);
      }
    }
    return end === completion.next ? yield* otherwise(environment) : end;
  };
  return statement.final.length === 0 ? guarded : withFinal(guarded, final);
}

function findHandler<T extends CompiledHandler>(
  handlers: readonly T[],
  environment: Environment,
  signal: Raised,
): T | undefined {
  return handlers.find(({ catches }) => catches(environment, signal));
}

function withFinal(guarded: Suspend<Completion>, final: Suspend<Completion>): Suspend<Completion> {
  return function* run(environment) {
    let end: Completion = completion.next;
    let raised: Raised | undefined;
    try {
      end = yield* guarded(environment);
    } catch (signal) {
      if (!(signal instanceof Raised)) throw signal;
      raised = signal;
    }
    const { returned } = environment;
    const finalEnd = yield* final(environment);
    if (finalEnd !== completion.next) return finalEnd;
    if (raised !== undefined) throw raised;
    environment.returned = returned;
    return end;
  };
}

function suspendWith(compiler: Compiler, scope: Scope, statement: Of<"with">): Suspend<Completion> {
  const body = compileSuspendingBlock(compiler, scope, statement.body);
  return statement.items.reduceRight<Suspend<Completion>>((inner, { value, target }) => {
    const source: Part = part(compiler, scope, value);
    const slot = hiddenSlot(scope);
    const held = (environment: Environment) => environment.slots[slot] ?? { kind: "none" as const };
    const manager = compileManager(compiler, held, value.span);
    const store = target === undefined ? undefined : compiler.target(scope, target);
    return function* run(environment) {
      environment.slots[slot] = yield* evaluatePart(source, environment);
      const { entered, leave } = manager(environment);
      let end: Completion;
      try {
        store?.(environment, entered);
        end = yield* inner(environment);
      } catch (signal) {
        if (!(signal instanceof Raised) || !leave(signal)) throw signal;
        return completion.next;
      }
      leave(undefined);
      return end;
    };
  }, body);
}
