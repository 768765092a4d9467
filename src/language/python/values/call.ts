import type { Span } from "#core/diagnostics";
import { bindCall } from "./bind-call.ts";
import { isSubclass, lookUp, makeInstance, specialOf, typeName } from "./classes.ts";
import type { Argument } from "./host.ts";
import { chargeSize, type Runtime } from "./runtime.ts";
import type { ClassValue, Value } from "./value.ts";

/** Steps charged for a call into the host, in addition to its expressions. */
const hostCallSteps = 80;

/** Calls any callable value, as Python would. */
export function call(rt: Runtime, callee: Value, args: readonly Argument[], span: Span): Value {
  rt.tick(2, span);
  if (span.from < 0) return call(rt, callee, placed(args, rt.at), rt.at);
  rt.at = span;
  switch (callee.kind) {
    case "function": {
      const other = rt.host.standInFor?.(callee);
      if (other !== undefined) return call(rt, other, args, span);
      return callee.run(bindCall(rt, callee, args, span), span);
    }
    case "method":
      return callMethod(rt, callee.callee, callee.self, args, span);
    case "host-function":
      for (const { value } of args) chargeSize(rt, value, span);
      return callee.call(args, rt.context, span);
    case "class": {
      const special = specialOf(callee, "__call__");
      if (special !== undefined) return callMethod(rt, special, callee, args, span);
      for (const { value } of args) chargeSize(rt, value, span);
      return instantiate(rt, callee, args, span);
    }
    case "staticmethod":
      return call(rt, callee.callee, args, span);
    case "host": {
      rt.tick(hostCallSteps, span);
      const run = callee.type.call;
      if (run !== undefined) return run(callee, args, rt.context, span);
      const result = callee.type.calledAnyway?.(callee, args, rt.context, span);
      if (result !== undefined) return result;
      break;
    }
    case "instance": {
      const special = specialOf(callee, "__call__");
      if (special !== undefined) return callMethod(rt, special, callee, args, span);
      break;
    }
  }
  return rt.fail("TypeError", `'${typeName(callee)}' object is not callable`, span);
}

/** Arguments with spans moved to the text's call, when library code passes them. */
function placed(args: readonly Argument[], at: Span): readonly Argument[] {
  return args.map((argument) => {
    if (argument.span.from >= 0) return argument;
    const { value, name } = argument;
    return name === undefined ? { value, span: at } : { value, span: at, name, nameSpan: at };
  });
}

/** Calls a class member with its receiver as first argument. */
export function callMethod(
  rt: Runtime,
  callee: Value,
  self: Value,
  args: readonly Argument[],
  span: Span,
): Value {
  if (callee.kind === "staticmethod") return call(rt, callee.callee, args, span);
  if (callee.kind === "classmethod") {
    const type = self.kind === "instance" ? self.type : self;
    return callMethod(rt, callee.callee, type, args, span);
  }
  const all = [{ value: self, span }, ...args];
  if (callee.kind !== "function") return call(rt, callee, all, span);
  rt.tick(2, span);
  return callee.run(bindCall(rt, callee, all, span), span, self);
}

/** Calls a special method with positional values; `undefined` when the class does not define it. */
export function callSpecial(
  rt: Runtime,
  self: Value,
  name: string,
  values: readonly Value[],
  span: Span,
): Value | undefined {
  const special = specialOf(self, name);
  if (special === undefined) return undefined;
  const args = values.map((value) => ({ value, span }));
  return callMethod(rt, special, self, args, span);
}

/** Calls with positional values; their span is that of the call. */
export function callWith(rt: Runtime, callee: Value, values: readonly Value[], span: Span): Value {
  return call(
    rt,
    callee,
    values.map((value) => ({ value, span })),
    span,
  );
}

/** Default call of a class, without its metaclass: makes and initialises an instance. */
export function instantiate(
  rt: Runtime,
  type: ClassValue,
  args: readonly Argument[],
  span: Span,
): Value {
  const own = rt.constructors.get(type);
  if (own !== undefined) return own(type, args, span);
  rt.allocate(4, span);
  const made = makeNew(rt, type, args, span);
  if (made.kind === "class" && made.metaclass === type && lookUp(type, "__init__")) {
    callMethod(rt, lookUp(type, "__init__") ?? made, made, args, span);
  }
  if (made.kind !== "instance" || !isSubclass(made.type, type)) return made;
  const initialize = lookUp(type, "__init__");
  if (initialize !== undefined) {
    const result = callMethod(rt, initialize, made, args, span);
    if (result.kind !== "none") {
      const message = `__init__() should return None, not '${typeName(result)}'`;
      rt.fail("TypeError", message, span);
    }
  } else if (args.length > 0 && made.native === undefined && !takesArguments(rt, type)) {
    rt.fail("TypeError", `${type.name}() takes no arguments`, span);
  }
  return made;
}

function takesArguments(rt: Runtime, type: ClassValue): boolean {
  return lookUp(type, "__new__") !== undefined || isSubclass(type, rt.type("BaseException"));
}

function makeNew(rt: Runtime, type: ClassValue, args: readonly Argument[], span: Span): Value {
  const custom = lookUp(type, "__new__");
  if (custom !== undefined) {
    const callee = custom.kind === "staticmethod" ? custom.callee : custom;
    return call(rt, callee, [{ value: type, span }, ...args], span);
  }
  return makePlain(rt, type, args, span);
}

/** Instance made by `object.__new__`, or by the `__new__` of the built-in ancestor. */
export function makePlain(
  rt: Runtime,
  type: ClassValue,
  args: readonly Argument[],
  span: Span,
): Value {
  const builtin = type.mro.find((ancestor) => rt.constructors.has(ancestor));
  const construct = builtin === undefined ? undefined : rt.constructors.get(builtin);
  if (builtin === undefined || construct === undefined || builtin.name === "object") {
    return makeInstance(type);
  }
  const isOpen = builtin === rt.type("type") || isSubclass(builtin, rt.type("BaseException"));
  if (isOpen) return construct(type, args, span);
  const hasOwnInit = lookUp(type, "__init__") !== undefined;
  const isMutable = ["list", "dict", "set"].includes(builtin.name);
  return makeInstance(type, construct(builtin, hasOwnInit && isMutable ? [] : args, span));
}
