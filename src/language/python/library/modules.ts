import { fieldOf } from "#core/records";
import type { Compiler } from "../compiling/compiler.ts";
import { makeClass } from "../values/classes.ts";
import type { ClassValue, ModuleValue, Value } from "../values/value.ts";
import { mathModule } from "./math.ts";
import { collections } from "./modules/collections.ts";
import { dataclasses } from "./modules/dataclasses.ts";
import { enumeration } from "./modules/enum.ts";
import { functools } from "./modules/functools.ts";
import { itertools } from "./modules/itertools.ts";
import { operator } from "./modules/operator.ts";
import { abc, contextlib, copy, string, types, typing, typingNames } from "./modules/small.ts";

/** Sources of library modules written in Python, by name. */
const libraries: Readonly<Record<string, string>> = {
  functools,
  itertools,
  collections,
  dataclasses,
  abc,
  operator,
  copy,
  contextlib,
  enum: enumeration,
  types,
  string,
};

/** Built-in module by name, made once per runtime; `undefined` for other names. */
export function builtinModule(compiler: Compiler, name: string): ModuleValue | undefined {
  const { modules } = compiler.rt;
  const known = modules.get(name);
  if (known !== undefined) return known;
  const members = membersOf(compiler, name);
  if (members === undefined) return undefined;
  const made = moduleOf(name, members, (key) => builtinModule(compiler, `${name}.${key}`));
  modules.set(name, made);
  return made;
}

function membersOf(compiler: Compiler, name: string): ReadonlyMap<string, Value> | undefined {
  if (name === "math") return mathModule(compiler.rt);
  if (name === "__future__") return futureNames();
  if (name === "typing" || name === "typing_extensions" || name === "collections.abc") {
    return typingMembers(compiler);
  }
  const library = Object.hasOwn(libraries, name) ? fieldOf(libraries, name) : undefined;
  return library === undefined ? undefined : compiler.rt.runLibrary(name, library);
}

function futureNames(): ReadonlyMap<string, Value> {
  const names = ["annotations", "division", "print_function", "absolute_import", "generator_stop"];
  return new Map(names.map((name) => [name, { kind: "str", value: name }]));
}

function typingMembers(compiler: Compiler): ReadonlyMap<string, Value> {
  const members = new Map(compiler.rt.runLibrary("typing", typing));
  const generic = members.get("Generic");
  const bases: readonly ClassValue[] = generic?.kind === "class" ? [generic] : [];
  for (const name of typingNames) {
    const made = makeClass(name, bases);
    compiler.rt.homes.set(made, "typing");
    members.set(name, made);
  }
  return members;
}

/** Module value over a table of names. */
/** @param inside finds a submodule of that name */
function moduleOf(
  name: string,
  members: ReadonlyMap<string, Value>,
  inside: (key: string) => ModuleValue | undefined,
): ModuleValue {
  const attribute = (key: string) => members.get(key) ?? inside(key);
  return { kind: "module", name, names: [...members.keys()], attribute };
}
