import type { Family } from "#systems/families";

export type { Family };

/** The families that are known, and their texts by file name. */
export interface Families {
  readonly list: readonly Family[];
  readonly texts: ReadonlyMap<string, string>;
}

/** What a configuration says of itself. */
export interface Identity {
  readonly type: string | undefined;
  readonly classes: readonly string[];
}

/** The family of a configuration: by its classes where a family names some, else by its type. */
export function familyOf({ list }: Families, { type, classes }: Identity): Family | undefined {
  const typed = list.filter(({ model_type: types }) => type !== undefined && types.includes(type));
  const named = (typed.length > 0 || type !== undefined ? typed : list).find(({ architectures }) =>
    architectures?.some((each) => classes.includes(each)),
  );
  const isOpen = ({ architectures }: Family) => architectures === undefined || classes.length === 0;
  return named ?? typed.find(isOpen);
}

/** The types of all families, in the order of the alphabet. */
export function knownTypes({ list }: Families): readonly string[] {
  return [...new Set(list.flatMap((each) => each.model_type))].sort();
}
