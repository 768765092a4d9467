import { makeClass } from "./classes.ts";
import type { ClassValue, HostFunction, Value } from "./value.ts";

/**
 * Class of the host from which classes of the text may inherit. Its functions become methods, with
 * the receiver as first argument. Instances are the text's own `InstanceValue`s, or are made by a
 * `__new__` here.
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
