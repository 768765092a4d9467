import { makeClass } from "./classes.ts";
import type { ClassValue, HostFunction, Value } from "./value.ts";

/**
 * A class of the embedding program that classes of the text may inherit from. Its functions become
 * methods: the receiver is the first argument. Instances are made by `InstanceValue`s of the text's
 * own, or by a `__new__` here.
 */
export function hostClass(
  name: string,
  methods: Readonly<Record<string, HostFunction["call"] | Exclude<Value, { kind: "unknown" }>>>,
  bases: readonly ClassValue[] = [],
): ClassValue {
  const attributes = new Map<string, Value>();
  for (const [key, member] of Object.entries(methods)) {
    const value: Value =
      typeof member === "function" ? { kind: "host-function", name: key, call: member } : member;
    attributes.set(key, value);
  }
  return makeClass(name, bases, { attributes });
}
