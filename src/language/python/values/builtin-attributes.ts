// Attributes of values of Python's built-in types.

import { operatorMethod } from "./operator-methods.ts";
import type { Runtime } from "./runtime.ts";
import type { Value } from "./value.ts";

export function builtinAttribute(rt: Runtime, value: Value, name: string): Value | undefined {
  if (value.kind === "range" || value.kind === "slice") {
    const part = name === "start" || name === "stop" || name === "step" ? value[name] : undefined;
    if (typeof part === "bigint") return { kind: "int", value: part };
    if (part !== undefined) return part;
  }
  const isNumber = value.kind === "int" || value.kind === "float";
  const part = numberPart(value, name) ?? (isNumber ? value.ofLibrary?.(value, name) : undefined);
  if (part !== undefined) return part;
  const isSpecial = name.startsWith("__");
  const method =
    rt.methodsOf(value.kind)?.get(name) ??
    (isSpecial ? operatorMethod(rt, value, name) : undefined);
  if (method === undefined) return undefined;
  const callee: Value = {
    kind: "host-function",
    name,
    call: (args, _context, span) => method(value, args, span),
  };
  return callee;
}

/** Attributes of numbers such as `x.real` and `n.numerator`. */
function numberPart(value: Value, name: string): Value | undefined {
  if (value.kind !== "int" && value.kind !== "bool" && value.kind !== "float") return undefined;
  const whole: Value = value.kind === "bool" ? { kind: "int", value: BigInt(value.value) } : value;
  if (name === "real") return whole;
  if (name === "imag") return value.kind === "float" ? { kind: "float", value: 0 } : zero;
  if (value.kind === "float") return undefined;
  if (name === "numerator") return whole;
  return name === "denominator" ? { kind: "int", value: 1n } : undefined;
}

const zero: Value = { kind: "int", value: 0n };

export function functionAttribute(
  value: Extract<Value, { kind: "function" }>,
  name: string,
): Value | undefined {
  if (name === "__name__") return { kind: "str", value: value.name };
  if (name === "__qualname__") return { kind: "str", value: value.qualifiedName };
  if (name === "__module__") return { kind: "str", value: "__main__" };
  if (name !== "__doc__") return undefined;
  return value.docstring === undefined ? { kind: "none" } : { kind: "str", value: value.docstring };
}

export function propertyAttribute(
  value: Extract<Value, { kind: "property" }>,
  name: string,
): Value | undefined {
  switch (name) {
    case "fget":
      return value.get ?? { kind: "none" };
    case "fset":
      return value.set ?? { kind: "none" };
    case "fdel":
      return value.remove ?? { kind: "none" };
    case "getter":
      return changing(name, (get) => ({ ...value, get }));
    case "setter":
      return changing(name, (set) => ({ ...value, set }));
    case "deleter":
      return changing(name, (remove) => ({ ...value, remove }));
    default:
      return undefined;
  }
}

/** `@x.setter`: decorator that returns the property with one accessor replaced. */
function changing(name: string, change: (accessor: Value | undefined) => Value): Value {
  return { kind: "host-function", name, call: ([accessor]) => change(accessor?.value) };
}
