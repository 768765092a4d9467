import type { Span } from "#core/diagnostics";
import type { Expression } from "../reading/syntax.ts";
import { typeName } from "../values/classes.ts";
import type { SpanTree } from "../values/host.ts";
import { advanceOf, itemsOf, spreadUnknown } from "../values/iterate.ts";
import type { Runtime } from "../values/runtime.ts";
import { setAttribute } from "../values/set-attribute.ts";
import { setItem } from "../values/subscript.ts";
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

/** Whether a place belongs to a module of the evaluator itself (see run-library.ts). */
function isOurs({ from }: Span): boolean {
  return from < 0;
}

/** Our own modules see Python's names only, whatever the text calls so. */
function readOwn(rt: Runtime, name: string, span: Span): Value {
  const found = rt.builtins.get(name);
  return found ?? rt.fail("NameError", `name '${name}' is not defined`, span);
}

/** A module name, then the host's, then Python's own, then the host's lenient reading. */
function readGlobal(rt: Runtime, name: string, span: Span): Value {
  const found = rt.globals.get(name) ?? rt.host.globals.get(name) ?? rt.builtins.get(name);
  if (found !== undefined) return rt.known(found);
  if (rt.host.readsLater !== undefined && rt.bindLater(name, true)) {
    const later = rt.globals.get(name);
    // What runs ahead of its turn itself has what stands beside it.
    if (!rt.isAhead) rt.host.readsLater(name, span, rt.context);
    if (later !== undefined) return rt.known(later);
  }
  const assumed = rt.host.undefinedName?.(name, span, rt.context);
  return assumed ?? rt.fail("NameError", `name '${name}' is not defined`, span);
}

/** Whether a name in this scope means Python's own, as far as can be said before it runs. */
export function isBuiltinName(scope: Scope, name: string): boolean {
  return addressOf(scope, name).kind === "global";
}

/** Stores a value under a name, and tells the host. */
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

/** Stores a value under a name without telling anybody. */
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

/** Removes a name; `isQuiet` for the name of an `except` clause that may be gone already. */
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

/** Stores a value at a name, an attribute, an item, or spreads it over several of them. */
export function compileTarget(
  compiler: Compiler,
  scope: Scope,
  target: Expression,
  tree?: SpanTree,
): Store {
  const { rt } = compiler;
  const { span } = target;
  switch (target.kind) {
    case "name":
      return compileNameStore(compiler, scope, target.name, span, tree);
    case "attribute": {
      const object = compiler.expression(scope, target.object);
      const { name } = target;
      return (environment, value) => setAttribute(rt, object(environment), name, value, span);
    }
    case "subscript": {
      const object = compiler.expression(scope, target.object);
      const index = compiler.expression(scope, target.index);
      const rebind = compileRebinding(compiler, scope, target.object);
      return (environment, value) => {
        const container = object(environment);
        rebind(environment, setItem(rt, container, index(environment), value, span));
      };
    }
    case "tuple":
    case "list":
      return compileUnpacking(compiler, scope, target.items, span, tree);
    default:
      return () =>
        rt.fail("SyntaxError", "starred assignment target must be in a list or tuple", span);
  }
}

/** Stores what an item was set in where that is another value afterwards. */
export function compileRebinding(
  compiler: Compiler,
  scope: Scope,
  object: Expression,
): (environment: Environment, value: Value | undefined) => void {
  const isPlace = ["name", "attribute", "subscript"].includes(object.kind);
  const store = isPlace ? compileTarget(compiler, scope, object) : undefined;
  return (environment, value) => {
    if (value !== undefined) store?.(environment, value);
  };
}

function compileUnpacking(
  compiler: Compiler,
  scope: Scope,
  items: readonly Expression[],
  span: Span,
  tree: SpanTree | undefined,
): Store {
  const { rt } = compiler;
  const starAt = items.findIndex((item) => item.kind === "starred");
  const isWritten = tree?.kind === "tuple" || tree?.kind === "list";
  const isMatched = isWritten && tree.items.length === items.length && starAt < 0;
  const stores = items.map((item, index) =>
    compileTarget(
      compiler,
      scope,
      item.kind === "starred" ? item.value : item,
      isMatched ? tree.items[index] : undefined,
    ),
  );
  if (starAt < 0) {
    return (environment, value) => {
      const values = exactly(rt, value, items.length, span);
      storeAll(stores, environment, values);
    };
  }
  const after = items.length - starAt - 1;
  return (environment, value) => {
    const values = unpackable(rt, value, span, () => itemsOf(rt, value, span));
    if (values.length < items.length - 1) {
      const message = `not enough values to unpack (expected at least ${items.length - 1}, got ${values.length})`;
      rt.fail("ValueError", message, span);
    }
    const end = values.length - after;
    rt.allocate(values.length, span);
    const middle: Value = { kind: "list", items: values.slice(starAt, end) };
    const spread = [...values.slice(0, starAt), middle, ...values.slice(end)];
    storeAll(stores, environment, spread);
  };
}

function storeAll(
  stores: readonly Store[],
  environment: Environment,
  values: readonly Value[],
): void {
  for (const [index, store] of stores.entries()) {
    const value = values[index];
    if (value !== undefined) store(environment, value);
  }
}

function unpackable<T>(rt: Runtime, value: Value, span: Span, read: () => T): T {
  const isScalar = ["none", "int", "float", "bool", "function", "class"].includes(value.kind);
  if (!isScalar) return read();
  return rt.fail("TypeError", `cannot unpack non-iterable ${typeName(value)} object`, span);
}

/** Exactly so many items; an endless iterator is read one item too far, not to its end. */
function exactly(rt: Runtime, value: Value, count: number, span: Span): readonly Value[] {
  if (value.kind === "tuple" || value.kind === "list") {
    const { items } = value;
    const spread = items.length === count ? items : spreadUnknown(rt, items, count, span);
    checkCount(rt, spread.length, count, span);
    return spread;
  }
  const own = unpacked(rt, value, count, span);
  if (own !== undefined) {
    checkCount(rt, own.length, count, span);
    return own;
  }
  return unpackable(rt, value, span, () => {
    const advance = advanceOf(rt, value, span);
    const values: Value[] = [];
    for (let item = advance(); item !== undefined; item = advance()) {
      values.push(item);
      if (values.length > count) break;
    }
    checkCount(rt, values.length, count, span);
    return values;
  });
}

/** The items of what knows into how many it is unpacked. */
function unpacked(
  rt: Runtime,
  value: Value,
  count: number,
  span: Span,
): readonly Value[] | undefined {
  if (value.kind === "iterator") return value.unpack?.(count);
  return value.kind === "host" ? value.type.unpack?.(value, count, rt.context, span) : undefined;
}

function checkCount(rt: Runtime, given: number, count: number, span: Span): void {
  if (given > count) rt.fail("ValueError", `too many values to unpack (expected ${count})`, span);
  if (given < count) {
    const message = `not enough values to unpack (expected ${count}, got ${given})`;
    rt.fail("ValueError", message, span);
  }
}
