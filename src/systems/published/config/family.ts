import { fieldOf } from "#core/records";
import type { Family } from "#systems/families";

export type { Family };

/** The families that are known, and their texts by file name. */
export interface Families {
  readonly list: readonly Family[];
  readonly texts: ReadonlyMap<string, string>;
}

/** The type and classes that a configuration names. */
export interface Identity {
  readonly type: string | undefined;
  readonly classes: readonly string[];
}

/** A family, whether a configuration names a class that its text is, and which end it then has. */
export interface FamilyOfConfig {
  readonly family: Family;
  readonly isOwnClass: boolean;
  readonly end?: string | undefined;
}

/**
 * The family of a configuration: by its classes where a family names some, else by its type; of
 * families with keys that it must have, the first whose keys it has.
 */
export function familyOf(
  { list }: Families,
  { type, classes }: Identity,
  config: Readonly<Record<string, unknown>>,
): FamilyOfConfig | undefined {
  const fitting = list.filter(({ where = {} }) =>
    Object.entries(where).every(
      ([key, value]) => Object.hasOwn(config, key) && isSame(config[key], wanted(config, value)),
    ),
  );
  const typed = fitting.filter(({ model_type }) => type !== undefined && model_type.includes(type));
  const among = type === undefined ? fitting : typed;
  // Names of the first conversions have other capitals.
  const own = classes.map((each) => each.toLowerCase());
  const named = among.find(({ architectures }) =>
    architectures?.some((each) => own.includes(each.toLowerCase())),
  );
  if (named !== undefined) return { family: named, isOwnClass: true };
  for (const family of among) {
    const [end] = classes.flatMap((each) => fieldOf(family.ends ?? {}, each) ?? []);
    if (end !== undefined) return { family, isOwnClass: true, end };
  }
  const [first] = typed;
  return (
    first && {
      family: first,
      isOwnClass: classes.length === 0 || first.architectures === undefined,
    }
  );
}

/** The wanted value of a key; the name of another key stands for that key's value. */
function wanted(config: Readonly<Record<string, unknown>>, value: unknown): unknown {
  return typeof value === "string" && Object.hasOwn(config, value) ? config[value] : value;
}

function isSame(value: unknown, wanted: unknown): boolean {
  return JSON.stringify(value ?? null) === JSON.stringify(wanted);
}

/** The types of all families, in the order of the alphabet. */
export function knownTypes({ list }: Families): readonly string[] {
  return [...new Set(list.flatMap((each) => each.model_type))].sort();
}
