// Setting and deleting attributes.

import type { Span } from "#core/diagnostics";
import { missingMessage } from "./attributes.ts";
import { call, callMethod, callSpecial } from "./call.ts";
import { lookUp, typeName } from "./classes.ts";
import type { Runtime } from "./runtime.ts";
import type { InstanceValue, Value } from "./value.ts";

/** `value.name = to`. */
export function setAttribute(rt: Runtime, value: Value, name: string, to: Value, span: Span): void {
  switch (value.kind) {
    case "instance": {
      const custom = lookUp(value.type, "__setattr__");
      if (custom === undefined) {
        setPlainAttribute(rt, value, name, to, span);
        return;
      }
      const args: readonly Value[] = [{ kind: "str", value: name }, to];
      const all = args.map((argument) => ({ value: argument, span }));
      callMethod(rt, custom, value, all, span);
      return;
    }
    case "class":
      if (rt.types.get(value.name) === value) break;
      if (callSpecial(rt, value, "__setattr__", [{ kind: "str", value: name }, to], span)) return;
      value.attributes.set(name, to);
      return;
    case "function":
      value.attributes.set(name, to);
      return;
    case "host":
      if (value.type.setAttribute?.(value, name, to, rt.context, span) === true) return;
      break;
    case "module": {
      const own = rt.setOnModules.get(value) ?? new Map<string, Value>();
      rt.setOnModules.set(value, own.set(name, to));
      return;
    }
    case "unknown":
      rt.known(value);
  }
  const isBuiltinType = value.kind === "class";
  if (isBuiltinType) {
    rt.fail("TypeError", `cannot set '${name}' attribute of immutable type '${value.name}'`, span);
  }
  rt.fail("AttributeError", missingMessage(value, name), span);
}

/** `object.__setattr__`: properties first, then the instance's own attributes. */
function setPlainAttribute(
  rt: Runtime,
  value: InstanceValue,
  name: string,
  to: Value,
  span: Span,
): void {
  const shared = lookUp(value.type, name);
  const isDone =
    shared !== undefined && callSpecial(rt, shared, "__set__", [value, to], span) !== undefined;
  if (isDone) return;
  if (shared?.kind !== "property") {
    rt.allocate(1, span);
    const before = value.attributes.get(name);
    const kept =
      before !== undefined
        ? rt.host.onReplace?.({ owner: value, name, before, after: to, span }, rt.context)
        : undefined;
    value.attributes.set(name, kept ?? to);
    return;
  }
  if (shared.set === undefined) {
    const message = `property '${name}' of '${typeName(value)}' object has no setter`;
    rt.fail("AttributeError", message, span);
  }
  const args = [value, to].map((argument) => ({ value: argument, span }));
  call(rt, shared.set, args, span);
}

/** `del value.name`. */
export function deleteAttribute(rt: Runtime, value: Value, name: string, span: Span): void {
  if (value.kind === "instance") {
    const shared = lookUp(value.type, name);
    if (shared?.kind === "property" && shared.remove !== undefined) {
      call(rt, shared.remove, [{ value, span }], span);
      return;
    }
    const before = value.attributes.get(name);
    if (before !== undefined) {
      rt.host.onReplace?.({ owner: value, name, before, span }, rt.context);
      value.attributes.delete(name);
      return;
    }
  } else if (value.kind === "class" || value.kind === "function") {
    if (value.attributes.delete(name)) return;
  }
  rt.fail("AttributeError", missingMessage(value, name), span);
}
