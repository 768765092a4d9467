import type { Value } from "#language/python";
import policyLibrary from "./policy_library.py?raw";
import type { PolicyParts } from "./run-policies.ts";

/** Names of nnScaler's library parts in Python, read on first use. */
export function pythonLibrary(): PolicyParts["library"] {
  let names: ReadonlyMap<string, Value> | undefined;
  return (name, context) => {
    names ??= context.library("nnscaler", policyLibrary);
    return names.get(name);
  };
}
