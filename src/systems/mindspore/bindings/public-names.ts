import { moduleKind } from "./module-names.ts";
import names from "./public-names.json" with { type: "json" };

/** Public names of each module, by its dotted name (`engines/record_mindspore_names.py`). */
const namesOf: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(names).map(([module, text]) => [module, new Set(text.split(" "))]),
);

/** Public names of a module of MindSpore 2.10; empty for a module that was not recorded. */
export function publicNames(module: string): ReadonlySet<string> {
  return namesOf.get(module) ?? new Set();
}

/** Whether MindSpore 2.10 lacks a name in a module; always false for private names. */
export function isMissing(module: string, name: string): boolean {
  return !name.startsWith("_") && namesOf.get(module)?.has(name) === false;
}

/**
 * Names that `from … import *` imports. Modules of primitives give the primitives known here; `nn`,
 * `ops` and similar ones give their public names except modules. `mindspore`, `mindspore.mint` and
 * the package of generated primitives give none: their `__all__` is empty, or lists names that do
 * not exist.
 */
export function starredNames(
  module: string,
  primitives: { names(): readonly string[] },
): readonly string[] {
  const [, top = "", last] = module.split(".");
  if (last === "operations" || module.endsWith(".gen_ops_prim"))
    return primitives.names().filter((name) => !isMissing(module, name));
  if (last !== undefined || top === "" || top === "mint") return [];
  const isOffered = (name: string) =>
    name !== "Tensor" && moduleKind(`${module}.${name}`) === undefined;
  return [...publicNames(module)].filter(isOffered);
}
