// Built-in functions that access attributes by name: hasattr, getattr, setattr, vars, dir.

import type { Span } from "#core/diagnostics";
import { findAttribute, getAttribute } from "../values/attributes.ts";
import { plain, typeName } from "../values/classes.ts";
import type { Argument } from "../values/host.ts";
import { untilRaised } from "../values/iterate.ts";
import { liveDict } from "../values/live-dict.ts";
import { bool, none, str } from "../values/plain-values.ts";
import type { Runtime } from "../values/runtime.ts";
import { deleteAttribute, setAttribute } from "../values/set-attribute.ts";
import { dictOf } from "../values/text-key.ts";
import type { Value } from "../values/value.ts";
import { bindArguments, first } from "./bind-arguments.ts";

function attributeName(rt: Runtime, callee: string, value: Value | undefined, span: Span): string {
  if (value?.kind === "str") return value.value;
  const given = value === undefined ? "nothing" : typeName(value);
  const prefix = callee === "hasattr" ? "hasattr(): " : "";
  const message = `${prefix}attribute name must be string, not '${given}'`;
  return rt.fail("TypeError", message, span);
}

export function hasAttribute(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [value = none, name] = bindArguments(rt, "hasattr", args, "obj name", span);
  const wanted = attributeName(rt, "hasattr", name, span);
  const found = untilRaised(rt, "AttributeError", () => findAttribute(rt, value, wanted, span));
  return bool(found !== undefined);
}

export function getNamed(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [value = none, name, assumed] = bindArguments(
    rt,
    "getattr",
    args,
    "object name default?",
    span,
  );
  const wanted = attributeName(rt, "getattr", name, span);
  if (assumed === undefined) return getAttribute(rt, value, wanted, span);
  return untilRaised(rt, "AttributeError", () => findAttribute(rt, value, wanted, span)) ?? assumed;
}

export function setNamed(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [value = none, name, to = none] = bindArguments(
    rt,
    "setattr",
    args,
    "obj name value",
    span,
  );
  setAttribute(rt, value, attributeName(rt, "setattr", name, span), to, span);
  return none;
}

export function deleteNamed(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const [value = none, name] = bindArguments(rt, "delattr", args, "obj name", span);
  deleteAttribute(rt, value, attributeName(rt, "delattr", name, span), span);
  return none;
}

export function vars(rt: Runtime, args: readonly Argument[], span: Span): Value {
  const value = first(bindArguments(rt, "vars", args, "object", span));
  if (value.kind === "instance") return liveDict(value.attributes);
  if (value.kind === "class") return dictOf(value.attributes);
  const held = value.kind === "host" ? findAttribute(rt, value, "__dict__", span) : undefined;
  return held ?? rt.fail("TypeError", "vars() argument must have __dict__ attribute", span);
}

export function directory(rt: Runtime, value: Value, span: Span): Value {
  const names = new Set<string>();
  const type = value.kind === "class" ? value : rt.classOf(value);
  for (const ancestor of type.mro) for (const name of ancestor.attributes.keys()) names.add(name);
  if (value.kind === "instance") for (const name of value.attributes.keys()) names.add(name);
  for (const name of rt.methodsOf(plain(value).kind)?.keys() ?? []) names.add(name);
  rt.allocate(names.size, span);
  return { kind: "list", items: [...names].sort().map(str) };
}
