import type { Span } from "#core/diagnostics";
import { fillDict, makeSet } from "../library/constructors.ts";
import type { DictEntry, Expression } from "../reading/syntax.ts";
import { plain, typeName } from "../values/classes.ts";
import { canIterate, starredItems as itemsBehindStar } from "../values/iterate.ts";
import type { Runtime } from "../values/runtime.ts";
import { setEntry } from "../values/set-item.ts";
import type { DictValue, Value } from "../values/value.ts";
import type { Compiler } from "./compiler.ts";
import type { Environment, Evaluate, Scope } from "./scope.ts";

/** `(a, b, *c)` and `[a, b, *c]`. */
export function compileItems(
  compiler: Compiler,
  scope: Scope,
  kind: "tuple" | "list",
  items: readonly Expression[],
  span: Span,
): Evaluate {
  const { rt } = compiler;
  const gather = gatherer(compiler, scope, items);
  return (environment) => {
    const values = gather(environment);
    rt.allocate(values.length, span);
    return { kind, items: values };
  };
}

/** `{a, b, *c}`. */
export function compileSet(
  compiler: Compiler,
  scope: Scope,
  items: readonly Expression[],
  span: Span,
): Evaluate {
  const gather = gatherer(compiler, scope, items);
  return (environment) => makeSet(compiler.rt, gather(environment), false, span);
}

/** Values of a row of expressions, stars expanded. */
function gatherer(
  compiler: Compiler,
  scope: Scope,
  items: readonly Expression[],
): (environment: Environment) => Value[] {
  const { rt } = compiler;
  const parts = items.map((item) => ({
    isStarred: item.kind === "starred",
    span: item.span,
    evaluate: compiler.expression(scope, item.kind === "starred" ? item.value : item),
  }));
  if (!parts.some(({ isStarred }) => isStarred)) {
    return (environment) => parts.map(({ evaluate }) => evaluate(environment));
  }
  return (environment) => {
    const values: Value[] = [];
    for (const { isStarred, span, evaluate } of parts) {
      const value = evaluate(environment);
      if (!isStarred) values.push(value);
      else for (const item of starredItems(rt, value, span)) values.push(item);
    }
    return values;
  };
}

function starredItems(rt: Runtime, value: Value, span: Span): readonly Value[] {
  if (canIterate(value)) return itemsBehindStar(rt, value, span);
  return rt.fail("TypeError", `Value after * must be an iterable, not ${typeName(value)}`, span);
}

/** `{a: b, **c}`. */
export function compileDict(
  compiler: Compiler,
  scope: Scope,
  entries: readonly DictEntry[],
  span: Span,
): Evaluate {
  const { rt } = compiler;
  const parts = entries.map(({ key, value }) => ({
    key: key === undefined ? undefined : compiler.expression(scope, key),
    value: compiler.expression(scope, value),
    span: value.span,
    keySpan: key?.span ?? value.span,
  }));
  return (environment) => {
    const made: DictValue = { kind: "dict", entries: new Map() };
    for (const part of parts) {
      if (part.key === undefined) {
        unpack(rt, made, part.value(environment), part.span);
        continue;
      }
      const key = part.key(environment);
      setEntry(rt, made, key, part.value(environment), part.keySpan);
    }
    rt.tick(parts.length, span);
    return made;
  };
}

function unpack(rt: Runtime, into: DictValue, from: Value, span: Span): void {
  const isMapping = plain(from).kind === "dict" || from.kind === "instance" || from.kind === "host";
  if (!isMapping) rt.fail("TypeError", `'${typeName(from)}' object is not a mapping`, span);
  fillDict(rt, into, from, span);
}
