import type { Span } from "#core/diagnostics";
import type { SpanTree } from "../values/host.ts";
import type { Runtime } from "../values/runtime.ts";
import type { Value } from "../values/value.ts";
import type { Compiler } from "./compiler.ts";
import {
  addressOf,
  type Environment,
  type Evaluate,
  type NameAddress,
  outward,
  type Scope,
  type Store,
} from "./scope.ts";

/** Reads a name. */
export function compileName(compiler: Compiler, scope: Scope, name: string, span: Span): Evaluate {
  return reader(compiler.rt, addressOf(scope, name), name, span);
}

function reader(rt: Runtime, place: NameAddress, name: string, span: Span): Evaluate {
  if (place.kind === "global") {
    return isOurs(span) ? () => readOwn(rt, name, span) : () => readGlobal(rt, name, span);
  }
  if (place.kind === "class") {
    const outer = reader(rt, place.outer, name, span);
    return (environment) => {
      const own = environment.names?.get(name);
      return own === undefined ? outer(environment) : rt.known(own);
    };
  }
  const { hops, index } = place;
  if (hops > 0) {
    return (environment) => {
      const value = outward(environment, hops).slots[index];
      return value === undefined ? unboundFree(rt, name, span) : rt.known(value);
    };
  }
  return (environment) => {
    const value = environment.slots[index];
    return value === undefined ? unboundLocal(rt, name, span) : rt.known(value);
  };
}

function unboundLocal(rt: Runtime, name: string, span: Span): never {
  const message = `cannot access local variable '${name}' where it is not associated with a value`;
  return rt.fail("UnboundLocalError", message, span);
}

function unboundFree(rt: Runtime, name: string, span: Span): never {
  const message =
    `cannot access free variable '${name}' where it is not associated with a value ` +
    "in enclosing scope";
  return rt.fail("NameError", message, span);
}

/** Whether a span lies in a library module of the evaluator itself (see run-library.ts). */
function isOurs({ from }: Span): boolean {
  return from < 0;
}

/**
 * Library modules of the evaluator see Python's builtins only, even if the text redefines their
 * names.
 */
function readOwn(rt: Runtime, name: string, span: Span): Value {
  const found = rt.builtins.get(name);
  return found ?? rt.fail("NameError", `name '${name}' is not defined`, span);
}

/**
 * Looks a name up in the module's globals, the host's, Python's builtins, and last in the host's
 * lenient reading.
 */
function readGlobal(rt: Runtime, name: string, span: Span): Value {
  const found = rt.globals.get(name) ?? rt.host.globals.get(name) ?? rt.builtins.get(name);
  if (found !== undefined) return rt.known(found);
  if (rt.host.readsLater !== undefined && rt.bindLater(name, true)) {
    const later = rt.globals.get(name);
    // A statement that itself runs ahead of its turn reports nothing about names further down.
    if (!rt.isAhead) rt.host.readsLater(name, span, rt.context);
    if (later !== undefined) return rt.known(later);
  }
  const assumed = rt.host.undefinedName?.(name, span, rt.context);
  return assumed ?? rt.fail("NameError", `name '${name}' is not defined`, span);
}

/**
 * Whether a name is global in this scope, so that it may denote a builtin; decided before the code
 * runs.
 */
export function isBuiltinName(scope: Scope, name: string): boolean {
  return addressOf(scope, name).kind === "global";
}

/** Stores a value under a name, and reports the binding to the host. */
export function compileNameStore(
  compiler: Compiler,
  scope: Scope,
  name: string,
  span: Span,
  tree?: SpanTree,
): Store {
  const { rt } = compiler;
  const store = writer(rt, addressOf(scope, name), name);
  const { host } = rt;
  if (host.onBind === undefined || scope.kind === "comprehension" || isOurs(span)) return store;
  return (environment, value) => {
    store(environment, value);
    const frames = rt.frames.slice();
    host.onBind?.(
      { name, value, span, frames, ...(tree === undefined ? {} : { tree }) },
      rt.context,
    );
  };
}

/** Stores a value under a name without a report to the host. */
export function compileQuietStore(compiler: Compiler, scope: Scope, name: string): Store {
  return writer(compiler.rt, addressOf(scope, name), name);
}

function writer(rt: Runtime, place: NameAddress, name: string): Store {
  if (place.kind === "global") {
    return (_environment, value) => {
      rt.globals.set(name, value);
    };
  }
  if (place.kind === "class") {
    return (environment, value) => {
      environment.names?.set(name, value);
    };
  }
  const { hops, index } = place;
  return (environment, value) => {
    outward(environment, hops).slots[index] = value;
  };
}

/**
 * Removes a name. With `isQuiet` a missing name is no error, as for the name of an `except` clause.
 */
export function compileNameDelete(
  compiler: Compiler,
  scope: Scope,
  name: string,
  span: Span,
  isQuiet = false,
): (environment: Environment) => void {
  const { rt } = compiler;
  const place = addressOf(scope, name);
  const missing = () => {
    if (!isQuiet) rt.fail("NameError", `name '${name}' is not defined`, span);
  };
  if (place.kind === "global") {
    return () => {
      if (!rt.globals.delete(name)) missing();
    };
  }
  if (place.kind === "class") {
    return (environment) => {
      if (environment.names?.delete(name) !== true) missing();
    };
  }
  const { hops, index } = place;
  return (environment) => {
    const { slots } = outward(environment, hops);
    if (slots[index] === undefined && !isQuiet) unboundLocal(rt, name, span);
    slots[index] = undefined;
  };
}
