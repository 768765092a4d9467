import type { Span } from "#core/diagnostics";
import type { Handler, Statement } from "../reading/syntax.ts";
import { getAttribute } from "../values/attributes.ts";
import { call, callMethod } from "../values/call.ts";
import { isSubclass, lookUp, typeName } from "../values/classes.ts";
import { none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { Raised } from "../values/signals.ts";
import { truth } from "../values/truth.ts";
import type { ClassValue, Value } from "../values/value.ts";
import { compileNameDelete, compileNameStore } from "./compile-name.ts";
import type { Compiler } from "./compiler.ts";
import {
  type Completion,
  completion,
  type Environment,
  type Evaluate,
  type Execute,
  type Scope,
} from "./scope.ts";

/** `try` with all its parts. Limits of the evaluator are no exceptions, so no handler sees them. */
export function compileTry(
  compiler: Compiler,
  scope: Scope,
  statement: Extract<Statement, { kind: "try" }>,
): Execute {
  const body = compiler.block(scope, statement.body);
  const otherwise = compiler.block(scope, statement.otherwise);
  const handlers = statement.handlers.map((handler) => compileHandler(compiler, scope, handler));
  const final = compiler.block(scope, statement.final);
  const guarded: Execute = (environment) => {
    let end: Completion;
    const { rt } = compiler;
    const { guards } = rt;
    try {
      if (handlers.length > 0) rt.guards += 1;
      end = body(environment);
      rt.guards = guards;
    } catch (signal) {
      rt.guards = guards;
      if (!(signal instanceof Raised)) throw signal;
      const handler = handlers.find(({ catches }) => catches(environment, signal));
      if (handler === undefined) throw signal;
      return handler.run(environment, signal);
    }
    return end === completion.next ? otherwise(environment) : end;
  };
  if (statement.final.length === 0) return guarded;
  return (environment) => withFinal(environment, guarded, final);
}

/**
 * Runs the `finally` block after the guarded part, however that ends; a completion of `finally`
 * wins.
 */
function withFinal(environment: Environment, guarded: Execute, final: Execute): Completion {
  let end: Completion = completion.next;
  let raised: Raised | undefined;
  try {
    end = guarded(environment);
  } catch (signal) {
    if (!(signal instanceof Raised)) throw signal;
    raised = signal;
  }
  const { returned } = environment;
  let finalEnd: Completion;
  try {
    finalEnd = final(environment);
  } catch (signal) {
    if (raised !== undefined) chain(signal, raised);
    throw signal;
  }
  if (finalEnd !== completion.next) return finalEnd;
  if (raised !== undefined) throw raised;
  environment.returned = returned;
  return end;
}

/** A compiled `except` clause: which exceptions it catches, and its body. */
export interface CompiledHandler {
  readonly catches: (environment: Environment, raised: Raised) => boolean;
  readonly enter: (environment: Environment, raised: Raised) => void;
  readonly leave: (environment: Environment) => void;
  readonly run: (environment: Environment, raised: Raised) => Completion;
}

export function compileHandler(
  compiler: Compiler,
  scope: Scope,
  { type, name, nameSpan, body, span }: Handler,
): CompiledHandler {
  const { rt } = compiler;
  const evaluate = type === undefined ? undefined : compiler.expression(scope, type);
  const at = nameSpan ?? span;
  const store = name === undefined ? undefined : compileNameStore(compiler, scope, name, at);
  const remove =
    name === undefined ? undefined : compileNameDelete(compiler, scope, name, at, true);
  const block = compiler.block(scope, body);
  const enter = (environment: Environment, raised: Raised) => {
    rt.handled.push(raised);
    store?.(environment, raised.exception);
  };
  const leave = (environment: Environment) => {
    rt.handled.pop();
    remove?.(environment);
  };
  return {
    enter,
    leave,
    catches: (environment, raised) =>
      evaluate === undefined || matches(rt, raised, evaluate(environment), type?.span ?? span),
    run: (environment, raised) => {
      enter(environment, raised);
      try {
        return block(environment);
      } catch (signal) {
        chain(signal, raised);
        throw signal;
      } finally {
        leave(environment);
      }
    },
  };
}

/** Sets the handled exception as `__context__` of one raised during its handling. */
function chain(signal: unknown, handled: Raised): void {
  if (!(signal instanceof Raised) || signal.exception === handled.exception) return;
  const { attributes } = signal.exception;
  if (!attributes.has("__context__")) attributes.set("__context__", handled.exception);
}

function matches(rt: Runtime, raised: Raised, type: Value, span: Span): boolean {
  if (type.kind === "tuple") return type.items.some((item) => matches(rt, raised, item, span));
  if (type.kind === "class" && isSubclass(type, rt.type("BaseException"))) {
    return isSubclass(raised.exception.type, type);
  }
  if (type.kind === "host" || type.kind === "module" || type.kind === "host-function") return false;
  const message = "catching classes that do not inherit from BaseException is not allowed";
  return rt.fail("TypeError", message, span);
}

/** `with a as b, c as d`: items are nested. */
export function compileWith(
  compiler: Compiler,
  scope: Scope,
  statement: Extract<Statement, { kind: "with" }>,
): Execute {
  const body = compiler.block(scope, statement.body);
  return statement.items.reduceRight<Execute>((inner, { value, target }) => {
    const manager = compileManager(compiler, compiler.expression(scope, value), value.span);
    const store = target === undefined ? undefined : compiler.target(scope, target);
    return (environment) => {
      const { entered, leave } = manager(environment);
      let end: Completion;
      try {
        store?.(environment, entered);
        end = inner(environment);
      } catch (signal) {
        if (!(signal instanceof Raised) || !leave(signal)) throw signal;
        return completion.next;
      }
      leave(undefined);
      return end;
    };
  }, body);
}

interface Managed {
  /** Result of `__enter__`. */
  readonly entered: Value;
  /** Calls `__exit__`; returns true when it suppresses the exception. */
  readonly leave: (raised: Raised | undefined) => boolean;
}

/** Enters a context manager. */
export function compileManager(
  compiler: Compiler,
  evaluate: Evaluate,
  span: Span,
): (environment: Environment) => Managed {
  const { rt } = compiler;
  return (environment) => {
    const manager = evaluate(environment);
    const enter = method(rt, manager, "__enter__", span);
    const exit = method(rt, manager, "__exit__", span);
    const entered = enter([]);
    const leave = (raised: Raised | undefined) => {
      const type: ClassValue | undefined = raised?.exception.type;
      const result = exit([type ?? none, raised?.exception ?? none, none]);
      return raised !== undefined && truth(rt, result, span);
    };
    return { entered, leave };
  };
}

function method(
  rt: Runtime,
  manager: Value,
  name: string,
  span: Span,
): (values: readonly Value[]) => Value {
  const withSpans = (values: readonly Value[]) => values.map((value) => ({ value, span }));
  if (manager.kind === "instance") {
    const found = lookUp(manager.type, name);
    if (found !== undefined)
      return (values) => callMethod(rt, found, manager, withSpans(values), span);
  }
  if (manager.kind === "host") {
    const found = getAttribute(rt, manager, name, span);
    return (values) => call(rt, found, withSpans(values), span);
  }
  const message = `'${typeName(manager)}' object does not support the context manager protocol`;
  return rt.fail("TypeError", message, span);
}
