import type { Span } from "#core/diagnostics";
import type { Expression } from "../reading/syntax.ts";
import { typeName } from "../values/classes.ts";
import type { SpanTree } from "../values/host.ts";
import { advanceOf, itemsOf, spreadUnknown } from "../values/iterate.ts";
import type { Runtime } from "../values/runtime.ts";
import { setAttribute } from "../values/set-attribute.ts";
import { setItem } from "../values/set-item.ts";
import type { Value } from "../values/value.ts";
import { compileNameStore } from "./compile-name.ts";
import type { Compiler } from "./compiler.ts";
import type { Environment, Scope, Store } from "./scope.ts";

/**
 * Compiles the store to an assignment target: a name, an attribute, an item, or a list of targets.
 */
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

/**
 * Compiles the store of a container back into its place, needed if setting an item replaces the
 * container.
 */
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

/**
 * Exactly `count` items. An iterator is read at most one item too far, so an endless one is safe.
 */
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

/**
 * The items of an iterator or host value that adapts to the number of targets; `undefined` for
 * other values.
 */
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
