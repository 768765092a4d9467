// Checks on registering a parameter, buffer or submodule in a module.

import type { Span } from "#core/diagnostics";
import type { Context, InstanceValue, Value } from "#language/python";
import type { TreeReading } from "./module-tree.ts";
import { textOf } from "./values/values.ts";

/** A value registered in a module under a name. */
export interface Registering {
  readonly kind: "parameter" | "buffer" | "module";
  readonly module: InstanceValue;
  readonly name: Value | undefined;
  readonly value: Value | undefined;
}

type Fault = readonly [kind: string, message: string];

/** Value kinds that are neither tensors nor modules. */
const plain: ReadonlySet<Value["kind"]> = new Set([
  ...(["int", "float", "bool", "str", "list", "tuple", "dict", "function", "class"] as const),
]);

/** Raises the module's error for an illegal name or value. */
export function checkRegistering(
  reading: TreeReading,
  given: Registering,
  context: Context,
  span: Span,
): void {
  if (span.from < 0) return;
  const fault = nameFault(given) ?? takenFault(reading, given) ?? valueFault(reading, given);
  if (fault !== undefined) context.raise(...fault, span);
}

function nameFault({ kind, name }: Registering): Fault | undefined {
  if (name !== undefined && plain.has(name.kind) && name.kind !== "str")
    return ["TypeError", `${kind} name should be a string. Got ${name.kind}`];
  const text = textOf(name);
  if (text?.includes(".")) return ["KeyError", `${kind} name can't contain "."`];
  return text === "" ? ["KeyError", `${kind} name can't be empty string ""`] : undefined;
}

/** Error for a name that is already an attribute of another kind. */
function takenFault(reading: TreeReading, given: Registering): Fault | undefined {
  const name = textOf(given.name);
  if (name === undefined) return undefined;
  const { attributes, type } = given.module;
  const held = attributes.get(name);
  const isOfClass = type.mro.some((each) => each.attributes.has(name));
  const isTaken =
    held === undefined ? isOfClass : plain.has(held.kind) || isOther(reading, given, name, held);
  return isTaken ? ["KeyError", `attribute '${name}' already exists`] : undefined;
}

/**
 * Whether the member of that name is a parameter, buffer or module of another kind than the new
 * one.
 */
function isOther(
  reading: TreeReading,
  { kind, module }: Registering,
  name: string,
  held: Value,
): boolean {
  if (reading.isModule(held)) return kind !== "module";
  const tensor = reading.tensorOf(held);
  if (tensor === undefined) return false;
  if (reading.buffersOf(module).has(name)) return kind !== "buffer";
  return tensor.role === "parameter" && tensor.producer === undefined && kind !== "parameter";
}

function valueFault(reading: TreeReading, { kind, name, value }: Registering): Fault | undefined {
  if (value === undefined) return undefined;
  const of = `${kind} '${textOf(name) ?? ""}'`;
  if (kind === "module") {
    const isNone = plain.has(value.kind) || reading.tensorOf(value) !== undefined;
    return isNone ? ["TypeError", `what is given as ${of} is not a Module subclass`] : undefined;
  }
  if (plain.has(value.kind) || reading.isModule(value))
    return [
      "TypeError",
      `cannot assign '${value.kind}' object to ${of} (a tensor or None required)`,
    ];
  const tensor = reading.tensorOf(value);
  if (kind !== "parameter" || tensor === undefined) return undefined;
  if (tensor.role === "parameter" || tensor.isUnknown === true) return undefined;
  const message = `cannot assign a tensor to ${of} (a Parameter or None required)`;
  return ["TypeError", message];
}
