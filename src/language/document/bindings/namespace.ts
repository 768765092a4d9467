import type { HostFunction, ModuleValue, Value } from "#language/python";

/** A module of the host: what each of its names is. */
export function namespace(
  name: string,
  attribute: (name: string) => Value | undefined,
  names?: readonly string[],
): ModuleValue {
  return { kind: "module", name, attribute, ...(names !== undefined && { names }) };
}

/** A function of the host. */
export function hostFunction(name: string, call: HostFunction["call"]): HostFunction {
  return { kind: "host-function", name, call };
}
