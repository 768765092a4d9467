import { fieldOf, isRecord } from "#core/records";
import type { ImportChoice } from "../format.ts";
import type { Family } from "./family.ts";
import { isWithoutInfluence } from "./known-keys.ts";
import { arePlaces, isEvery, isRepeated } from "./lists.ts";
import { type Config, said } from "./own-part.ts";

/** The keys of a configuration as the family's text calls them, and all by their paths. */
export function flatConfig(config: Config, { nested = {}, defaults }: Family): Given {
  const sizes = new Map<string, unknown>();
  const paths = new Map<string, unknown>();
  const known = [...Object.keys(nested), ...Object.keys(defaults)];
  const inside = known.filter((path) => path.includes("."));
  const parents = new Set(inside.map((path) => path.split(".")[0] ?? ""));
  for (const [key, value] of Object.entries(config)) {
    if (isRecord(value) && parents.has(key)) {
      for (const [inner, each] of Object.entries(value)) {
        const path = `${key}.${inner}`;
        paths.set(path, each);
        const size = Object.hasOwn(nested, path) ? nested[path] : undefined;
        if (size !== undefined) sizes.set(size, each);
      }
      continue;
    }
    paths.set(key, value);
    // A configuration that has names of its classes need not say how many there are.
    if (key === "id2label" && isRecord(value)) sizes.set("num_labels", Object.keys(value).length);
    sizes.set((Object.hasOwn(nested, key) ? nested[key] : undefined) ?? key, value);
  }
  if (typeof config.num_labels === "number") sizes.set("num_labels", config.num_labels);
  return { sizes, paths };
}

interface Given {
  readonly sizes: ReadonlyMap<string, unknown>;
  readonly paths: ReadonlyMap<string, unknown>;
}

/** The keys that are neither sizes of the text nor known to say nothing, in their order. */
export function leftOver(
  { paths, sizes: values }: Given,
  family: Family,
  sizes: ReadonlySet<string>,
  { isTraining }: ImportChoice,
): readonly string[] {
  const { nested = {}, same = {}, unread = [], repeats = {}, every = {}, places = {} } = family;
  const { defaults, missing = {} } = family;
  const unsaid = Object.entries(missing).filter(([key]) => !paths.has(key) && !sizes.has(key));
  return [...unsaid, ...paths].flatMap(([path, value]) => {
    const key = path.split(".").at(-1) ?? path;
    const size = Object.hasOwn(nested, path) ? nested[path] : path;
    const isKnown = size !== undefined && sizes.has(size);
    const other = Object.hasOwn(same, path) ? same[path] : undefined;
    const sizeOf = (name: string | undefined) =>
      name === undefined ? undefined : (values.get(name) ?? defaults[name]);
    if (unread.includes(path)) return [];
    if (isRepeated(value, repeats[path], sizeOf("num_layers"))) return [];
    if (isEvery(value, sizeOf(fieldOf(every, path)))) return [];
    if (arePlaces(value, sizeOf(fieldOf(places, path)))) return [];
    if (other !== undefined && values.get(other) === value) return [];
    const usualValue = Object.hasOwn(defaults, path) ? defaults[path] : undefined;
    if (isKnown || isWithoutInfluence(key, value, isTraining, usualValue)) return [];
    if (usualValue !== undefined && JSON.stringify(usualValue) === JSON.stringify(value)) return [];
    return [said(path, value)];
  });
}
