import type { Diagnostic, Span } from "#core/diagnostics";
import { builtinAttribute, functionAttribute, propertyAttribute } from "./builtin-attributes.ts";
import { call, callSpecial } from "./call.ts";
import { isSubclass, lookUp, specialOf, typeName } from "./classes.ts";
import { defaultMethod } from "./default-methods.ts";
import { liveDict } from "./live-dict.ts";
import { nearestName } from "./near-name.ts";
import { ownOfClass } from "./own-of-class.ts";
import { none } from "./plain-values.ts";
import type { Method, Runtime } from "./runtime.ts";
import type { ClassValue, InstanceValue, Value } from "./value.ts";

/** `value.name`. Raises `AttributeError` where Python does. */
export function getAttribute(rt: Runtime, value: Value, name: string, span: Span): Value {
  const found = findAttribute(rt, value, name, span);
  if (found !== undefined) return found;
  const isPlain = value.kind === "instance" && !name.startsWith("_");
  const lacked = isPlain ? rt.host.lackedAttribute?.(value, name) : undefined;
  if (lacked !== undefined) return lacked;
  const fixes = otherName(rt, value, name, span);
  return rt.fail("AttributeError", missingMessage(value, name), span, fixes);
}

/** A fix for a misspelt attribute, if one of similar spelling exists. */
function otherName(rt: Runtime, value: Value, name: string, span: Span): Pick<Diagnostic, "fixes"> {
  const from = span.to - name.length;
  const isWritten = from > span.from && rt.source.slice(from, span.to) === name;
  const meant = isWritten ? nearestName(name, attributesOf(value), 3) : undefined;
  if (meant === undefined) return {};
  return { fixes: [{ title: `Write ${meant}`, edits: [{ from, to: span.to, text: meant }] }] };
}

/** Names of the attributes of an instance or class and of its base classes. */
function attributesOf(value: Value): readonly string[] {
  if (value.kind === "super") return attributesOf(value.self);
  if (value.kind !== "instance" && value.kind !== "class") return [];
  const [own, type] = value.kind === "class" ? [[], value] : [value.attributes.keys(), value.type];
  return [...own, ...type.mro.flatMap(({ attributes }) => [...attributes.keys()])];
}

export function missingMessage(value: Value, name: string): string {
  if (value.kind === "class") return `type object '${value.name}' has no attribute '${name}'`;
  if (value.kind === "module") return `module '${value.name}' has no attribute '${name}'`;
  return `'${typeName(value)}' object has no attribute '${name}'`;
}

/** `value.name`; `undefined` if there is no such attribute. */
export function findAttribute(
  rt: Runtime,
  value: Value,
  name: string,
  span: Span,
): Value | undefined {
  switch (value.kind) {
    case "instance":
      return instanceAttribute(rt, value, name, span);
    case "class":
      return classAttribute(rt, value, name, span);
    case "host":
      return value.type.attribute?.(value, name, rt.context, span);
    case "module":
      return rt.setOnModules.get(value)?.get(name) ?? value.attribute(name, rt.context, span);
    case "super":
      return superAttribute(rt, value, name, span);
    case "function":
      return (
        value.attributes.get(name) ??
        functionAttribute(value, name) ??
        (name.startsWith("__") ? undefined : rt.ofDecorator(value, name, span))
      );
    case "host-function":
      return name === "__name__" ? { kind: "str", value: value.name } : value.member?.(name);
    case "method":
      if (name === "__self__") return value.self;
      if (name === "__func__") return value.callee;
      return findAttribute(rt, value.callee, name, span);
    case "unknown":
      return rt.known(value);
    case "property":
      return propertyAttribute(value, name);
    case "tuple":
      return value.items[value.fields?.indexOf(name) ?? -1] ?? builtinAttribute(rt, value, name);
    case "staticmethod":
    case "classmethod":
      return name === "__func__" ? value.callee : undefined;
    default:
      return builtinAttribute(rt, value, name);
  }
}

/** Attributes of every exception, `None` until set. */
const chained = ["__cause__", "__context__", "__traceback__"];

function instanceAttribute(
  rt: Runtime,
  value: InstanceValue,
  name: string,
  span: Span,
): Value | undefined {
  const found = storedAttribute(rt, value, name, span);
  if (found !== undefined) return found;
  if (name === "__getattribute__") return getterMethod(rt, value, value.type, name);
  const computed = callSpecial(rt, value, "__getattr__", [{ kind: "str", value: name }], span);
  return computed ?? otherwise(rt, value, value.type, name);
}

/** `object.__getattribute__`, and the `__getattr__` of host classes. */
function getterMethod(
  rt: Runtime,
  self: Value | undefined,
  type: ClassValue,
  name: string,
): Value | undefined {
  const isOfHost = type.mro.some(
    (each) => each.span === undefined && rt.types.get(each.name) !== each,
  );
  if (name !== "__getattribute__" && !(name === "__getattr__" && isOfHost)) return undefined;
  return {
    kind: "host-function",
    name,
    call: (args, _context, span) => {
      const [first, key] = self === undefined ? args : [{ value: self, span }, ...args];
      const [holder, asked] = [first?.value ?? none, key?.value];
      const attribute = asked?.kind === "str" ? asked.value : "";
      if (holder.kind !== "instance") return getAttribute(rt, holder, attribute, span);
      const found = storedAttribute(rt, holder, attribute, span);
      return found ?? rt.fail("AttributeError", missingMessage(holder, attribute), span);
    },
  };
}

/** An attribute of a base class that the host made and that is not fully known. */
function ofOpenBase(
  rt: Runtime,
  self: Value,
  bases: readonly ClassValue[],
  name: string,
  span: Span,
): Value | undefined {
  const base = bases.find((each) => each.span === undefined && each.attributes.has("__getattr__"));
  const asked = base?.attributes.get("__getattr__");
  if (asked === undefined) return undefined;
  const key: Value = { kind: "str", value: name };
  return call(
    rt,
    asked,
    [self, key].map((value) => ({ value, span })),
    span,
  );
}

/** Methods that every object has. */
function otherwise(
  rt: Runtime,
  self: Value | undefined,
  type: ClassValue,
  name: string,
): Value | undefined {
  return defaultMethod(rt, self, type, name) ?? getterMethod(rt, self, type, name);
}

/** An attribute stored on an instance or its classes, looked up before `__getattr__` is called. */
function storedAttribute(
  rt: Runtime,
  value: InstanceValue,
  name: string,
  span: Span,
): Value | undefined {
  const shared = lookUp(value.type, name);
  if (shared?.kind === "property") {
    if (shared.get === undefined)
      rt.fail("AttributeError", `property '${name}' has no getter`, span);
    return call(rt, shared.get, [{ value, span }], span);
  }
  const own = value.attributes.get(name);
  if (own !== undefined) return rt.known(own);
  const got =
    shared === undefined
      ? undefined
      : callSpecial(rt, shared, "__get__", [value, value.type], span);
  if (got !== undefined) return got;
  if (shared !== undefined) return bind(rt, value, value.type, name, shared);
  if (name === "__class__") return value.type;
  if (chained.includes(name) && isSubclass(value.type, rt.type("BaseException")))
    return { kind: "none" };
  if (name === "__dict__") return liveDict(value.attributes);
  return value.native === undefined ? undefined : builtinAttribute(rt, value.native, name);
}

/** A class attribute as seen through an instance: functions become methods. */
function bind(rt: Runtime, self: Value, type: ClassValue, name: string, found: Value): Value {
  switch (found.kind) {
    case "function":
      return { kind: "method", self, callee: found };
    case "staticmethod":
      return found.callee;
    case "classmethod":
      return { kind: "method", self: type, callee: found.callee };
    case "host-function": {
      const owner = type.mro.find((ancestor) => ancestor.attributes.get(name) === found);
      return owner?.span === undefined ? { kind: "method", self, callee: found } : found;
    }
    case "host":
      return found.type.isMethod === true ? { kind: "method", self, callee: found } : found;
    default:
      return rt.known(found);
  }
}

function classAttribute(
  rt: Runtime,
  type: ClassValue,
  name: string,
  span: Span,
): Value | undefined {
  const found = lookUp(type, name);
  if (found?.kind === "staticmethod") return found.callee;
  if (found?.kind === "classmethod") return { kind: "method", self: type, callee: found.callee };
  if (found !== undefined) {
    return callSpecial(rt, found, "__get__", [none, type], span) ?? rt.known(found);
  }
  const own = ownOfClass(rt, type, name);
  if (own !== undefined) return own;
  for (const ancestor of type.mro) {
    const method = rt.methodsOf(ancestor.name)?.get(name);
    const receiver = classMethods.get(name);
    if (method !== undefined && receiver !== undefined) return onClass(method, name, receiver());
    if (method !== undefined) return unboundMethod(rt, ancestor, name, span);
  }
  return (
    throughMetaclass(rt, type, name, span) ??
    otherwise(rt, undefined, type, name) ??
    (name.startsWith("_") ? undefined : ofOpenBase(rt, type, type.mro, name, span))
  );
}

/** A method or property that a metaclass gives a class. */
function throughMetaclass(
  rt: Runtime,
  type: ClassValue,
  name: string,
  span: Span,
): Value | undefined {
  const found = specialOf(type, name);
  if (found?.kind === "property" && found.get !== undefined) {
    return call(rt, found.get, [{ value: type, span }], span);
  }
  if (found !== undefined) return bind(rt, type, type.metaclass ?? type, name, found);
  return callSpecial(rt, type, "__getattr__", [{ kind: "str", value: name }], span);
}

const classMethods: ReadonlyMap<string, () => Value> = new Map<string, () => Value>([
  ["fromkeys", () => ({ kind: "dict", entries: new Map() })],
  ["maketrans", () => ({ kind: "str", value: "" })],
]);

/** A builtin class method, called with a dummy receiver. */
function onClass(method: Method, name: string, receiver: Value): Value {
  return {
    kind: "host-function",
    name,
    call: (args, _context, span) => method(receiver, args, span),
  };
}

/** `str.upper`, `list.append`: the receiver is the first argument. */
function unboundMethod(rt: Runtime, type: ClassValue, name: string, at: Span): Value {
  return {
    kind: "host-function",
    name,
    call: ([self, ...args], _context, span) => {
      if (self === undefined) {
        return rt.fail("TypeError", `unbound method ${type.name}.${name}() needs an argument`, at);
      }
      return call(rt, getAttribute(rt, self.value, name, span), args, span);
    },
  };
}

function superAttribute(
  rt: Runtime,
  value: Extract<Value, { kind: "super" }>,
  name: string,
  span: Span,
): Value | undefined {
  const { self } = value;
  const own = self.kind === "instance" ? self.type : self;
  if (own.kind !== "class") return undefined;
  // In a metaclass method the class takes the instance's role.
  const type = own.mro.includes(value.after) ? own : (own.metaclass ?? own);
  const rest = type.mro.slice(type.mro.indexOf(value.after) + 1);
  for (const ancestor of rest) {
    const found = ancestor.attributes.get(name);
    if (found?.kind === "property" && found.get !== undefined) {
      return call(rt, found.get, [{ value: value.self, span }], span);
    }
    if (found !== undefined) return bind(rt, value.self, type, name, found);
  }
  const native = value.self.kind === "instance" ? value.self.native : undefined;
  const inner = native === undefined ? undefined : builtinAttribute(rt, native, name);
  return (
    inner ?? otherwise(rt, value.self, type, name) ?? ofOpenBase(rt, value.self, rest, name, span)
  );
}
