import type { Value } from "#language/python";
import policyLibrary from "./policy_library.py?raw";
import type { PolicyParts } from "./run-policies.ts";

/** What nnScaler's own Python has under a name, read when it is first asked. */
export function pythonLibrary(): PolicyParts["library"] {
  let names: ReadonlyMap<string, Value> | undefined;
  return (name, context) => {
    names ??= context.library("nnscaler", policyLibrary);
    return names.get(name);
  };
}
