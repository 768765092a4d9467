import { matcherOf } from "#core/ir";
import { groupedBy } from "#core/records";

/** One line of a plan: what it speaks of, a name or names with `*`, and what it says of that. */
export interface PlanLine<Said> {
  readonly target: string;
  readonly said: Said;
}

/** What is to be said of names, and what may be said of any name of their kind. */
export interface Wishes<Said> {
  /** Names of which something has to be said, in their order. */
  readonly needed: readonly string[];
  /** What is wanted of each name; nothing may be said of a name that is missing here. */
  readonly wanted: ReadonlyMap<string, Said>;
  /** Every name that a target with `*` may match. */
  readonly names: readonly string[];
  /** Of the same text exactly where the same is said. */
  readonly textOf: (said: Said) => string;
}

/**
 * The fewest lines: one for all equal blocks where most of them want the same, with a line of its
 * own for each that differs (an exact name beats one with `*`).
 */
export function planLines<Said>(
  wishes: Wishes<Said>,
  usesWildcards: boolean,
): readonly PlanLine<Said>[] {
  const groups = groupedBy(wishes.needed, (name) =>
    usesWildcards ? name.replace(/\[\d+\]/gu, "[*]") : name,
  );
  return [...groups].flatMap(([pattern, needed]) => {
    const exact = exactLines(needed, wishes);
    if (needed.length < 2) return exact;
    const common = commonLines(pattern, needed, wishes);
    return common !== undefined && common.length < exact.length ? common : exact;
  });
}

function exactLines<Said>(
  needed: readonly string[],
  { wanted }: Wishes<Said>,
): readonly PlanLine<Said>[] {
  return needed.flatMap((target) => {
    const said = wanted.get(target);
    return said === undefined ? [] : [{ target, said }];
  });
}

/** A line for all names of a pattern, then the exceptions; `undefined` where it names too much. */
function commonLines<Said>(
  pattern: string,
  needed: readonly string[],
  wishes: Wishes<Said>,
): readonly PlanLine<Said>[] | undefined {
  const { wanted, names, textOf } = wishes;
  const matches = matcherOf(pattern);
  const matched = names.filter(matches);
  if (matched.some((name) => !wanted.has(name))) return undefined;
  const said = mostOf(
    needed.flatMap((name) => wanted.get(name) ?? []),
    textOf,
  );
  if (said === undefined) return undefined;
  const others = matched.filter((name) => {
    const own = wanted.get(name);
    return own !== undefined && textOf(own) !== textOf(said);
  });
  return [{ target: pattern, said }, ...exactLines(others, wishes)];
}

/** What is said most often; the first of several. */
function mostOf<Said>(all: readonly Said[], textOf: (said: Said) => string): Said | undefined {
  const counts = new Map<string, { readonly said: Said; count: number }>();
  for (const said of all) {
    const text = textOf(said);
    const known = counts.get(text) ?? { said, count: 0 };
    known.count += 1;
    counts.set(text, known);
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)[0]?.said;
}
