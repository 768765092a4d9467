import type { Span } from "#core/diagnostics";
import { call, instantiate, makePlain } from "./call.ts";
import { isSubclass, plain } from "./classes.ts";
import { equals } from "./equality.ts";
import type { Argument } from "./host.ts";
import { none } from "./plain-values.ts";
import type { Runtime } from "./runtime.ts";
import { exceptionText, instanceText, reprOf } from "./text.ts";
import type { ClassValue, Value } from "./value.ts";

type DefaultMethod = (rt: Runtime, self: Value, args: readonly Argument[], span: Span) => Value;

/**
 * Methods of `object` and `BaseException`. They are found only when a text names them
 * (`super().__init__()`, `object.__setattr__(self, …)`); the evaluator itself does not look here.
 */
const methods: ReadonlyMap<string, DefaultMethod> = new Map<string, DefaultMethod>([
  ["__init__", initialize],
  ["__setattr__", setOwn],
  ["__repr__", (rt, self, _args, span) => ({ kind: "str", value: plainRepr(rt, self, span) })],
  ["__str__", (rt, self, _args, span) => ({ kind: "str", value: plainText(rt, self, span) })],
  ["__init_subclass__", () => none],
  ["__call__", (rt, self, args, span) => callDefault(rt, self, args, span)],
  ["__eq__", (rt, self, [other], span) => plainEquals(rt, self, other?.value, span)],
  ["__hash__", (rt, self) => ({ kind: "int", value: BigInt(rt.identity(self)) })],
]);

/** `type.__call__`: makes an instance of the class. */
function callDefault(rt: Runtime, self: Value, args: readonly Argument[], span: Span): Value {
  return self.kind === "class" ? instantiate(rt, self, args, span) : call(rt, self, args, span);
}

function plainRepr(rt: Runtime, self: Value, span: Span): string {
  const inner = plain(self);
  if (self.kind !== "instance" || inner !== self) return reprOf(rt, inner, span);
  return instanceText(rt, self, span);
}

function plainText(rt: Runtime, self: Value, span: Span): string {
  const isException = self.kind === "instance" && isSubclass(self.type, rt.type("BaseException"));
  return isException ? exceptionText(rt, self, span) : plainRepr(rt, self, span);
}

function plainEquals(rt: Runtime, self: Value, other: Value | undefined, span: Span): Value {
  const inner = plain(self);
  if (self === other) return { kind: "bool", value: true };
  if (other === undefined || inner === self) return rt.builtins.get("NotImplemented") ?? none;
  return { kind: "bool", value: equals(rt, inner, plain(other), span) };
}

/** A method that every object has, bound when there is a receiver. */
export function defaultMethod(
  rt: Runtime,
  self: Value | undefined,
  type: ClassValue,
  name: string,
): Value | undefined {
  if (name === "__new__") {
    const make: Value = {
      kind: "host-function",
      name,
      call: ([given, ...args], _context, span) =>
        makePlain(rt, given?.value.kind === "class" ? given.value : type, args, span),
    };
    return make;
  }
  const run = methods.get(name);
  if (run === undefined) return undefined;
  if (self === undefined && rt.types.get(type.name) !== type) return undefined;
  const callee: Value = {
    kind: "host-function",
    name,
    call: (args, _context, span) => {
      const [first, ...rest] = self === undefined ? args : [{ value: self, span }, ...args];
      return first === undefined ? none : run(rt, first.value, rest, span);
    },
  };
  return callee;
}

function initialize(rt: Runtime, self: Value, args: readonly Argument[], span: Span): Value {
  if (self.kind !== "instance") return none;
  const { native } = self;
  if (isSubclass(self.type, rt.type("BaseException"))) {
    const items = args.filter(({ name }) => name === undefined).map(({ value }) => value);
    self.attributes.set("args", { kind: "tuple", items });
  } else if (native === undefined && args.length > 0) {
    const message = "object.__init__() takes exactly one argument (the instance to initialize)";
    rt.fail("TypeError", message, args[0]?.span ?? span);
  } else if (native?.kind === "list" || native?.kind === "dict" || native?.kind === "set") {
    refill(rt, native, args, span);
  }
  return none;
}

/** `super().__init__(…)` of a container's subclass: refills it from the arguments. */
function refill(
  rt: Runtime,
  native: Extract<Value, { kind: "list" | "dict" | "set" }>,
  args: readonly Argument[],
  span: Span,
): void {
  const made = call(rt, rt.type(native.kind), args, span);
  if (native.kind === "list" && made.kind === "list") native.items = made.items;
  if (native.kind === "dict" && made.kind === "dict") {
    native.entries.clear();
    for (const [key, entry] of made.entries) native.entries.set(key, entry);
  }
  if (native.kind === "set" && made.kind === "set") {
    native.members.clear();
    for (const [key, value] of made.members) native.members.set(key, value);
  }
}

function setOwn(_rt: Runtime, self: Value, args: readonly Argument[]): Value {
  const [name, to] = args;
  const isOpen = self.kind === "instance" || self.kind === "class";
  if (isOpen && name?.value.kind === "str" && to !== undefined) {
    self.attributes.set(name.value.value, to.value);
  }
  return none;
}
