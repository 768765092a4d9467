import type { Value } from "#language/python";
import policyLibrary from "./policy_library.py?raw";
import type { PolicyParts } from "./run-policies.ts";

/** Looks up names of nnScaler's parts that are written in Python, which are read on first use. */
export function pythonLibrary(): PolicyParts["library"] {
  let names: ReadonlyMap<string, Value> | undefined;
  return (name, context) => {
    names ??= context.library("nnscaler", policyLibrary);
    return names.get(name);
  };
}
