import type { Span } from "#core/diagnostics";
import { typeName } from "../values/classes.ts";
import type { Argument } from "../values/host.ts";
import { none } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { asIndex } from "../values/subscript.ts";
import type { Value } from "../values/value.ts";

/**
 * Values of a builtin's parameters, in order.
 *
 * @param names names separated by spaces; `?` marks optional ones
 */
export function bindArguments(
  rt: Runtime,
  callee: string,
  args: readonly Argument[],
  names: string,
  span: Span,
): readonly (Value | undefined)[] {
  const places = names.split(" ").filter((name) => name !== "");
  const plainNames = places.map((name) => name.replace("?", ""));
  const values: (Value | undefined)[] = places.map(() => undefined);
  let position = 0;
  for (const { name, value, nameSpan } of args) {
    const at = name === undefined ? position++ : plainNames.indexOf(name);
    if (name !== undefined && at < 0) {
      const message = `${callee}() got an unexpected keyword argument '${name}'`;
      rt.fail("TypeError", message, nameSpan ?? span);
    }
    if (at >= places.length) continue;
    values[at] = rt.known(value);
  }
  const required = places.filter((name) => !name.endsWith("?")).length;
  const isSingle = places.length === 1 && required === 1;
  if (isSingle && (position > 1 || values[0] === undefined)) exactlyOne(rt, callee, position, span);
  if (position > places.length) count(rt, callee, "at most", places.length, position, span);
  const missing = places.findIndex((name, at) => !name.endsWith("?") && values[at] === undefined);
  if (missing >= 0) count(rt, callee, "at least", required, position, span);
  return values;
}

function exactlyOne(rt: Runtime, callee: string, given: number, span: Span): never {
  return rt.fail("TypeError", `${callee}() takes exactly one argument (${given} given)`, span);
}

function count(
  rt: Runtime,
  callee: string,
  bound: string,
  limit: number,
  given: number,
  span: Span,
): never {
  const message = `${callee} expected ${bound} ${limit} argument${limit === 1 ? "" : "s"}, got ${given}`;
  return rt.fail("TypeError", message, span);
}

/** The first value of `bindArguments`, which is required. */
export function first(values: readonly (Value | undefined)[]): Value {
  return values[0] ?? none;
}

/** An integer argument. */
export function integer(rt: Runtime, value: Value, span: Span): bigint {
  const index = asIndex(rt, value, span);
  if (index !== undefined) return index;
  const message = `'${typeName(value)}' object cannot be interpreted as an integer`;
  return rt.fail("TypeError", message, span);
}

/** A string argument of `callee`. */
export function text(rt: Runtime, callee: string, value: Value | undefined, span: Span): string {
  return textOr(rt, value, `${callee}() argument must be str`, span);
}

/** A string argument; for other values the error message ends with their type. */
export function textOr(rt: Runtime, value: Value | undefined, what: string, span: Span): string {
  if (value?.kind === "str") return value.value;
  const given = value === undefined ? "nothing" : typeName(value);
  return rt.fail("TypeError", `${what}, not ${given}`, span);
}

/** An integer argument that fits CPython's `ssize_t`; OverflowError otherwise. */
export function size(rt: Runtime, value: Value, span: Span): number {
  const given = integer(rt, value, span);
  if (given < 1n << 63n && given >= -(1n << 63n)) return Number(given);
  return rt.fail("OverflowError", "Python int too large to convert to C ssize_t", span);
}
