// Names that PyTorch 2.13 does not have.

import publicNames from "./public-names.json" with { type: "json" };

/** By module, and for tensors, all names that do not begin with an underscore: `dir()` of each. */
const texts: ReadonlyMap<string, string> = new Map(Object.entries(publicNames));
const split = new Map<string, ReadonlySet<string>>();

function namesOf(home: string): ReadonlySet<string> | undefined {
  const text = texts.get(home);
  const names = split.get(home) ?? (text === undefined ? undefined : new Set(text.split(" ")));
  if (names !== undefined) split.set(home, names);
  return names;
}

/** Whether a module of torch, or its tensors, do not have a name. */
export function isAbsent(home: string, name: string): boolean {
  return !name.startsWith("_") && namesOf(home)?.has(name) === false;
}

/** Whether torch has no module of a dotted name: the one around it has no such name. */
export function isNoModule(path: string): boolean {
  const parts = path.split(".");
  return parts.some((name, at) => at > 0 && isAbsent(parts.slice(0, at).join("."), name));
}
