import type { Span } from "#core/diagnostics";
import { type Context, dictOf, type InstanceValue, type Value } from "#language/python";
import { none, textOf } from "./values/values.ts";

/** `_modules`: dict of a module's children. Changes of the dict change the module. */
export function liveChildren(
  module: InstanceValue,
  children: readonly { readonly path: string; readonly module: InstanceValue }[],
  context: Context,
  span: Span,
): Value {
  const made = dictOf(children.map((child) => [child.path, child.module] as const));
  const { entries } = made;
  const method = (name: string, values: readonly Value[]) =>
    context.call(
      context.getAttribute(module, name, span),
      values.map((value) => ({ value, span })),
      span,
    );
  const index = (path: string): Value | undefined => {
    const at = children.findIndex((child) => child.path === path);
    return at >= 0 && /^\d+$/.test(path) ? { kind: "int", value: BigInt(at) } : undefined;
  };
  const put = (path: string, value: Value) => {
    const at = index(path);
    if (at === undefined) context.setAttribute(module, path, value, span);
    else method("__setitem__", [at, value]);
  };
  for (const entry of entries.values()) {
    let held = entry.value;
    const set = (value: Value) => {
      held = value;
      put(textOf(entry.key) ?? "", value);
    };
    Object.defineProperty(entry, "value", { get: () => held, set });
  }
  const [add, remove] = [entries.set.bind(entries), entries.delete.bind(entries)];
  entries.set = (key, entry) => {
    method("add_module", [entry.key, entry.value]);
    return add(key, entry);
  };
  entries.delete = (key) => {
    const path = textOf(entries.get(key)?.key) ?? "";
    const at = index(path);
    if (at === undefined) {
      context.setAttribute(module, path, none, span);
      module.attributes.delete(path);
    } else method("__delitem__", [at]);
    return remove(key);
  };
  return made;
}
