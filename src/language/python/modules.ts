import { mathModule } from "./math.ts";
import type { Runtime } from "./runtime.ts";
import type { ModuleValue, Value } from "./value.ts";

/** A module that the evaluator itself has, or `undefined`. */
export function builtinModule(rt: Runtime, name: string): ModuleValue | undefined {
  if (name === "math") return moduleOf("math", mathModule(rt));
  if (name === "__future__") return moduleOf("__future__", futureNames());
  return undefined;
}

function futureNames(): ReadonlyMap<string, Value> {
  const names = ["annotations", "division", "print_function", "absolute_import", "generator_stop"];
  return new Map(names.map((name) => [name, { kind: "str", value: name }]));
}

/** A module over a table of its names. */
export function moduleOf(name: string, members: ReadonlyMap<string, Value>): ModuleValue {
  return { kind: "module", name, names: [...members.keys()], attribute: (key) => members.get(key) };
}
