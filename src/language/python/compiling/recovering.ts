import type { Expression, Statement } from "../reading/syntax.ts";
import type { Runtime } from "../values/runtime.ts";
import { Halted, Raised } from "../values/signals.ts";
import type { Value } from "../values/value.ts";
import type { Compiler } from "./compiler.ts";
import { faultOf } from "./faults.ts";
import {
  completion,
  type Environment,
  type Execute,
  namesOf,
  type Scope,
  type Store,
} from "./scope.ts";

const unknown: Value = { kind: "unknown" };

/**
 * Where the host wants it of a function, a statement that fails is left out: that is a warning with
 * its cause, what the statement sets is unknown, and the next one follows. What the text raises
 * itself, what a `try` may catch, and limits of the evaluator end the function as ever.
 */
export function recovering(
  compiler: Compiler,
  scope: Scope,
  statement: Statement,
  execute: Execute,
): Execute {
  const { rt } = compiler;
  if (rt.host.recovers === undefined || scope.kind !== "function" || raises(statement))
    return execute;
  const forget = forgetting(compiler, scope, statement);
  return (environment) => {
    const [depth, handled] = [rt.frames.length, rt.handled.length];
    try {
      return execute(environment);
    } catch (signal) {
      const frame = rt.frames[depth - 1];
      const isLenient = frame !== undefined && rt.host.recovers?.(frame) === true;
      if (rt.guards > 0 || !isLenient || isWanted(signal)) throw signal;
      rt.frames.length = depth;
      rt.handled.length = handled;
      report(rt, signal);
      forget(environment);
      if (statement.kind !== "return") return completion.next;
      environment.returned = unknown;
      return completion.return;
    }
  };
}

/** A function of the text, or a refusal of its own, is no line that fails. */
function raises({ kind }: Statement): boolean {
  return kind === "raise" || kind === "assert";
}

/** Whether a signal is meant to end more than a statement. */
function isWanted(signal: unknown): boolean {
  if (signal instanceof Raised)
    return signal.isOfText || /\/too-many-/.test(signal.extra.code ?? "");
  if (signal instanceof Halted) return signal.isFinal || signal.code.startsWith("python/limit");
  return signal instanceof Error;
}

/** Says a fault once, however often the function runs. */
function report(rt: Runtime, signal: unknown): void {
  const { diagnostic } = faultOf(rt, signal);
  if (diagnostic === undefined) return;
  const message = `${diagnostic.message}: the line is left out, and what it sets is unknown`;
  const isSaid = rt.diagnostics.some(
    (each) => each.span?.from === diagnostic.span?.from && each.message === message,
  );
  if (!isSaid) rt.diagnostics.push({ ...diagnostic, severity: "warning", message });
}

/** Makes unknown what a statement binds: names, and attributes as the host has what is unknown. */
function forgetting(
  compiler: Compiler,
  scope: Scope,
  statement: Statement,
): (environment: Environment) => void {
  const names = [...namesOf([statement]).bound].map((name) =>
    compiler.target(scope, { kind: "name", name, span: statement.span }),
  );
  const attributes = attributesSet(statement).map((target) => ({
    name: target.name,
    store: compiler.target(scope, target),
  }));
  return (environment) => {
    for (const store of names) attempt(store, environment, unknown);
    for (const { name, store } of attributes)
      attempt(store, environment, compiler.rt.host.recovered?.(name) ?? unknown);
  };
}

type AttributeTarget = Extract<Expression, { kind: "attribute" }>;

function attributesSet(statement: Statement): readonly AttributeTarget[] {
  const found: AttributeTarget[] = [];
  const look = (target: Expression): void => {
    if (target.kind === "attribute") found.push(target);
    else if (target.kind === "tuple" || target.kind === "list") target.items.forEach(look);
    else if (target.kind === "starred") look(target.value);
  };
  if (statement.kind === "assign") statement.targets.forEach(look);
  return found;
}

/** What cannot be set stays as it is. */
function attempt(store: Store, environment: Environment, value: Value): void {
  try {
    store(environment, value);
  } catch (signal) {
    if (isWanted(signal)) throw signal;
  }
}
