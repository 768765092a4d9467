import type { Span } from "#core/diagnostics";
import { makePlain } from "./call.ts";
import { isSubclass } from "./classes.ts";
import { equals } from "./equality.ts";
import type { Argument } from "./host.ts";
import { keyOf } from "./keys.ts";
import type { Runtime } from "./runtime.ts";
import { reprOf } from "./text.ts";
import type { ClassValue, Value } from "./value.ts";

const none: Value = { kind: "none" };

type Run = (rt: Runtime, self: Value, args: readonly Argument[], span: Span) => Value;

/**
 * What `object` and `BaseException` define, found only where a text asks for it by name
 * (`super().__init__()`, `object.__setattr__(self, …)`): the evaluator itself does not look here.
 */
const methods: ReadonlyMap<string, Run> = new Map<string, Run>([
  ["__init__", initialize],
  ["__setattr__", setOwn],
  ["__repr__", (rt, self, _args, span) => ({ kind: "str", value: reprOf(rt, self, span) })],
  ["__str__", (rt, self, _args, span) => ({ kind: "str", value: reprOf(rt, self, span) })],
  ["__init_subclass__", () => none],
  [
    "__eq__",
    (rt, self, [other], span) => ({
      kind: "bool",
      value: other !== undefined && equals(rt, self, other.value, span),
    }),
  ],
  [
    "__hash__",
    (rt, self, _args, span) => {
      const key = keyOf(rt, self, span);
      return { kind: "int", value: BigInt(rt.identity(typeof key === "object" ? key : self)) };
    },
  ],
]);

/** A method that every object has; with a receiver it is bound to it. */
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
  if (isSubclass(self.type, rt.type("BaseException"))) {
    const items = args.filter(({ name }) => name === undefined).map(({ value }) => value);
    self.attributes.set("args", { kind: "tuple", items });
  } else if (args.length > 0 && self.native === undefined) {
    const message = "object.__init__() takes exactly one argument (the instance to initialize)";
    rt.fail("TypeError", message, args[0]?.span ?? span);
  }
  return none;
}

function setOwn(_rt: Runtime, self: Value, args: readonly Argument[]): Value {
  const [name, to] = args;
  if (self.kind === "instance" && name?.value.kind === "str" && to !== undefined) {
    self.attributes.set(name.value.value, to.value);
  }
  return none;
}
