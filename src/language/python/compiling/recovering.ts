import type { Span } from "#core/diagnostics";
import { blocksOf } from "../reading/children.ts";
import type { Expression, Statement } from "../reading/syntax.ts";
import { findAttribute } from "../values/attributes.ts";
import { call } from "../values/call.ts";
import type { Runtime } from "../values/runtime.ts";
import { Halted, Raised } from "../values/signals.ts";
import type { Value } from "../values/value.ts";
import type { Compiler } from "./compiler.ts";
import { faultOf } from "./faults.ts";
import {
  addressOf,
  completion,
  type Environment,
  type Execute,
  namesOf,
  type Scope,
  type Store,
} from "./scope.ts";

const unknown: Value = { kind: "unknown" };

/**
 * Executes a statement of a function that the host reads leniently. A failing statement is left out
 * with a warning, the names it sets become unknown, and the next one follows. The same applies to a
 * loop anywhere that fails to run as one round. Exceptions that the text raises itself or that a
 * `try` may catch, and limits of the evaluator, end the function as in Python.
 */
export function recovering(
  compiler: Compiler,
  scope: Scope,
  statement: Statement,
  execute: Execute,
): Execute {
  const { rt } = compiler;
  const isLoop = statement.kind === "for";
  if (rt.host.recovers === undefined || raises(statement)) return execute;
  // In library code nothing is left out: the text's line that called it is left out as a whole.
  if (statement.span.from < 0) return execute;
  if (scope.kind !== "function" && !isLoop) return execute;
  const forget = forgetting(compiler, scope, statement);
  return (environment) => {
    const [depth, handled] = [rt.frames.length, rt.handled.length];
    try {
      return execute(environment);
    } catch (signal) {
      const frame = rt.frames[depth - 1];
      const isAbandoned = isLoop && rt.abandoned === signal;
      const isLenient = isAbandoned || (frame !== undefined && rt.host.recovers?.(frame) === true);
      if (rt.guards > 0 || !isLenient || isWanted(signal)) throw signal;
      rt.frames.length = depth;
      rt.handled.length = handled;
      report(rt, signal, statement);
      forget(environment);
      if (statement.kind !== "return") return completion.next;
      environment.returned =
        rt.host.recovered?.("return", undefined, statement.span, rt.context) ?? unknown;
      return completion.return;
    }
  };
}

/** Whether a statement raises on purpose; such a refusal is not left out. */
function raises({ kind }: Statement): boolean {
  return kind === "raise" || kind === "assert";
}

/** Whether a signal must end more than a statement. */
function isWanted(signal: unknown): boolean {
  if (signal instanceof Raised)
    return signal.isOfText || /\/too-many-/.test(signal.extra.code ?? "");
  if (signal instanceof Halted) return signal.isFinal || signal.code.startsWith("python/limit");
  return signal instanceof Error;
}

/** Reports a fault once, however often the function runs. */
function report(rt: Runtime, signal: unknown, statement: Statement): void {
  const { diagnostic } = faultOf(rt, signal);
  if (diagnostic === undefined) return;
  const body = statement.kind === "for" ? statement.body[0] : undefined;
  const isInside = body !== undefined && (diagnostic.span?.from ?? -1) >= body.span.from;
  const left = isInside ? "the loop around it" : "the line";
  const message = `${diagnostic.message}: ${left} is left out, and what it sets is unknown`;
  const isSaid = rt.diagnostics.some(
    (each) => each.span?.from === diagnostic.span?.from && each.message === message,
  );
  if (!isSaid) rt.diagnostics.push({ ...diagnostic, severity: "warning", message });
}

/**
 * Makes the names and attributes that a statement sets unknown, as the host represents unknown
 * values.
 */
export function forgetting(
  compiler: Compiler,
  scope: Scope,
  statement: Statement,
): (environment: Environment) => void {
  const { rt } = compiler;
  if (rt.host.recovered === undefined || statement.span.from < 0) return () => undefined;
  let made: readonly ((environment: Environment) => void)[] | undefined;
  return (environment) => {
    made ??= [
      ...changedIn(statement).map((object) => changingOne(compiler, scope, object)),
      ...targetsIn(statement).map((target) => forgettingOne(compiler, scope, target)),
      ...growing(statement).map((call) => growingOne(compiler, scope, call)),
    ];
    for (const forget of made) forget(environment);
  };
}

type Target = Extract<Expression, { kind: "attribute" | "name" }>;

function targetsIn(statement: Statement): readonly Target[] {
  const { span } = statement;
  const names = [...namesOf([statement]).bound].map(
    (name) => ({ kind: "name", name, span }) as const,
  );
  return [...names, ...attributesSet(statement)];
}

function forgettingOne(
  compiler: Compiler,
  scope: Scope,
  target: Target,
): (environment: Environment) => void {
  const { rt } = compiler;
  const [read, store] = [readerOf(compiler, scope, target), compiler.target(scope, target)];
  const label = target.kind === "name" ? target.name : `self.${target.name}`;
  return (environment) => {
    const before = heldIn(rt, () => read(environment));
    attempt(
      store,
      environment,
      rt.host.recovered?.(label, before, target.span, rt.context) ?? unknown,
    );
  };
}

/** Objects that a statement changes: `y[at] = …`, `y.add_(…)`. */
function changedIn(statement: Statement): readonly Expression[] {
  const inside = blocksOf(statement).flatMap((block) => block.flatMap(changedIn));
  const intoItems = (target: Expression) => (target.kind === "subscript" ? [target.object] : []);
  if (statement.kind === "assign") return [...inside, ...statement.targets.flatMap(intoItems)];
  if (statement.kind === "update") return [...inside, ...intoItems(statement.target)];
  if (statement.kind !== "expression" || statement.value.kind !== "call") return inside;
  const { callee } = statement.value;
  const isInPlace = callee.kind === "attribute" && /[^_]_$/.test(callee.name);
  return isInPlace ? [...inside, callee.object] : inside;
}

function changingOne(
  compiler: Compiler,
  scope: Scope,
  object: Expression,
): (environment: Environment) => void {
  const { rt } = compiler;
  const isPlain = object.kind === "name" || object.kind === "attribute";
  if (!isPlain) return () => undefined;
  const read = readerOf(compiler, scope, object);
  return (environment) => {
    const value = heldIn(rt, () => read(environment));
    if (value !== undefined) rt.host.changed?.(value, object.span, rt.context);
  };
}

/** A call that grows a container: `layers.append(block)`. */
interface Growing {
  readonly row: Expression;
  readonly span: Span;
}

const adding: ReadonlySet<string> = new Set(["append", "extend", "insert", "add"]);

function growing(statement: Statement): readonly Growing[] {
  const inside = blocksOf(statement).flatMap((block) => block.flatMap(growing));
  if (statement.kind !== "expression" || statement.value.kind !== "call") return inside;
  const { callee, span } = statement.value;
  const adds = callee.kind === "attribute" && adding.has(callee.name);
  return adds ? [...inside, { row: callee.object, span }] : inside;
}

/**
 * Adds one unknown item to a container that a skipped statement would have grown; it represents all
 * skipped items.
 */
function growingOne(
  compiler: Compiler,
  scope: Scope,
  { row, span }: Growing,
): (environment: Environment) => void {
  const { rt } = compiler;
  const read = readerOf(compiler, scope, row);
  return (environment) => {
    const held = heldIn(rt, () => read(environment));
    const name = rt.source.slice(row.span.from, row.span.to);
    const item = rt.host.recovered?.(`${name}[...]`, undefined, span, rt.context) ?? unknown;
    if (held?.kind === "list") held.items.push(item);
    if (held?.kind !== "instance") return;
    const append = findAttribute(rt, held, "append", span);
    if (append !== undefined) call(rt, append, [{ value: item, span }], span);
  };
}

/** Reads a target; an unbound global is not looked up on the host. */
function readerOf(
  compiler: Compiler,
  scope: Scope,
  target: Expression,
): (environment: Environment) => Value | undefined {
  const { rt } = compiler;
  if (target.kind === "name" && addressOf(scope, target.name).kind === "global")
    return () => rt.globals.get(target.name);
  return compiler.expression(scope, target);
}

/** Value of a target; `undefined` when reading it fails. */
function heldIn(rt: Runtime, read: () => Value | undefined): Value | undefined {
  const said = rt.diagnostics.length;
  try {
    return read();
  } catch (signal) {
    if (isWanted(signal)) throw signal;
    return undefined;
  } finally {
    rt.diagnostics.length = said;
  }
}

function attributesSet(
  statement: Statement,
): readonly Extract<Expression, { kind: "attribute" }>[] {
  const found: Extract<Expression, { kind: "attribute" }>[] = [];
  const look = (target: Expression): void => {
    if (target.kind === "attribute") found.push(target);
    else if (target.kind === "tuple" || target.kind === "list") target.items.forEach(look);
    else if (target.kind === "starred") look(target.value);
  };
  if (statement.kind === "assign") statement.targets.forEach(look);
  for (const block of blocksOf(statement)) found.push(...block.flatMap(attributesSet));
  return found;
}

/** Stores a value; a failing store is ignored. */
function attempt(store: Store, environment: Environment, value: Value): void {
  try {
    store(environment, value);
  } catch (signal) {
    if (isWanted(signal)) throw signal;
  }
}
