import type { Runtime } from "./runtime.ts";
import { dictOf } from "./text-key.ts";
import type { ClassValue, Value } from "./value.ts";

/** Introspection attributes of a class, such as `__name__`; `undefined` for other names. */
export function ownOfClass(rt: Runtime, type: ClassValue, name: string): Value | undefined {
  const tuple = (items: readonly Value[]): Value => ({ kind: "tuple", items });
  switch (name) {
    case "__name__":
      return { kind: "str", value: type.name };
    case "__qualname__":
      return { kind: "str", value: type.qualifiedName ?? type.name };
    case "__module__":
      return { kind: "str", value: rt.types.get(type.name) === type ? "builtins" : "__main__" };
    case "__doc__":
      return type.docstring === undefined
        ? { kind: "none" }
        : { kind: "str", value: type.docstring };
    case "__dict__":
      return dictOf(type.attributes);
    case "__class__":
      return rt.classOf(type);
    case "__mro__":
      return tuple(type.mro);
    case "__bases__":
      return tuple(type.bases);
    case "__base__":
      return type.bases[0] ?? { kind: "none" };
    case "mro":
      return { kind: "host-function", name, call: () => ({ kind: "list", items: [...type.mro] }) };
    default:
      return undefined;
  }
}
