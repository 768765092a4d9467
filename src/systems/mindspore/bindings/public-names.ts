import { moduleKind } from "./module-names.ts";
import names from "./public-names.json" with { type: "json" };

/** By the dotted name of a module, its public names (`engines/record_mindspore_names.py`). */
const namesOf: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(names).map(([module, text]) => [module, new Set(text.split(" "))]),
);

/** The public names that a module of MindSpore 2.10 has; none of a module that was not asked. */
export function publicNames(module: string): ReadonlySet<string> {
  return namesOf.get(module) ?? new Set();
}

/** Whether MindSpore 2.10 lacks a name in a module; always false for private names. */
export function isMissing(module: string, name: string): boolean {
  return !name.startsWith("_") && namesOf.get(module)?.has(name) === false;
}

/**
 * The names that `from … import *` imports: of modules of primitives those known here, of `nn`,
 * `ops` and the like their public names except modules. `mindspore`, `mindspore.mint` and the
 * package of generated primitives give none: their `__all__` lists names that they do not have, or
 * is empty.
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
