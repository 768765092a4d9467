import { wildcardMatcher, wildcardPath } from "#core/ir";
import { groupedBy } from "#core/records";

/** A line of a plan: its target, a name or a pattern with `*`, and the statement. */
export interface PlanLine<Said> {
  readonly target: string;
  readonly said: Said;
}

/** The wanted statement of each name, and the names that patterns may match. */
export interface Wishes<Said> {
  /** Names that need a line, in their order. */
  readonly needed: readonly string[];
  /** Wanted statement by name; a name missing here must not be matched. */
  readonly wanted: ReadonlyMap<string, Said>;
  /** Every name that a target with `*` may match. */
  readonly names: readonly string[];
  /** Text of a statement; equal statements have equal texts. */
  readonly textOf: (said: Said) => string;
}

/**
 * Few lines for all wishes. First, one line per group of equal blocks if most want the same, plus
 * an exact line per exception (an exact name takes precedence over a pattern). Then lines whose
 * names differ in one part and that state the same are merged.
 */
export function planLines<Said>(
  wishes: Wishes<Said>,
  usesWildcards: boolean,
): readonly PlanLine<Said>[] {
  if (!usesWildcards) return exactLines(wishes.needed, wishes);
  const groups = groupedBy(wishes.needed, wildcardPath);
  const lines = [...groups].map(([pattern, needed]) => {
    const exact = exactLines(needed, wishes);
    const common = commonLines(pattern, needed, wishes);
    const most = needed.length < 2 ? 1 : exact.length - 1;
    return common !== undefined && common.length <= most ? common : exact;
  });
  // Exceptions to a line with `*` stay exact; otherwise they would not take precedence over it.
  const isAlone = (own: readonly PlanLine<Said>[]) => own.length === 1;
  return [
    ...mergedLines(lines.filter(isAlone).flat(), wishes),
    ...lines.filter((own) => !isAlone(own)).flat(),
  ];
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

/** One line for a pattern, then the exceptions; `undefined` if the pattern matches too much. */
function commonLines<Said>(
  pattern: string,
  needed: readonly string[],
  wishes: Wishes<Said>,
): readonly PlanLine<Said>[] | undefined {
  const { wanted, names, textOf } = wishes;
  const matches = wildcardMatcher(pattern);
  const matched = names.filter(matches);
  if (matched.length < 2 || matched.some((name) => !wanted.has(name))) return undefined;
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

/** The most frequent statement; the first of equally frequent ones. */
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

/** Merges lines with equal statements whose names differ in one part: `blocks[*].mlp.*.weight`. */
function mergedLines<Said>(
  lines: readonly PlanLine<Said>[],
  wishes: Wishes<Said>,
): readonly PlanLine<Said>[] {
  const depth = Math.max(0, ...lines.map(({ target }) => target.split(".").length));
  let merged = lines;
  for (let at = depth - 1; at > 0; at -= 1) merged = mergedAt(merged, at, wishes);
  return merged;
}

/** `mergedLines` for names that differ in part `at`. */
function mergedAt<Said>(
  lines: readonly PlanLine<Said>[],
  at: number,
  wishes: Wishes<Said>,
): readonly PlanLine<Said>[] {
  const groups = groupedBy(lines, ({ target, said }) => {
    const parts = target.split(".");
    const around = parts.length > at ? parts.with(at, "") : parts;
    return JSON.stringify([around, parts.length > at, wishes.textOf(said)]);
  });
  return [...groups.values()].flatMap((group) => {
    const [first, second] = group;
    if (first === undefined || second === undefined) return group;
    const target = wideName(
      group.map((line) => line.target.split(".")),
      at,
    );
    return meansOnly(target, first.said, wishes) ? [{ ...first, target }] : group;
  });
}

/** Common name of names that differ in one part, with `*` for the differing characters. */
function wideName(names: readonly (readonly string[])[], at: number): string {
  const own = names.map((parts) => parts[at] ?? "");
  const start = sharedStart(own);
  const [parts = []] = names;
  const isAll = parts[at + 1] === "*" && at + 2 === parts.length;
  const wide = parts.with(at, `${start}*`);
  return (isAll ? wide.slice(0, at + 1) : wide).join(".");
}

function sharedStart(texts: readonly string[]): string {
  const [first = ""] = texts;
  let length = 0;
  while (length < first.length && texts.every((text) => text[length] === first[length]))
    length += 1;
  // A list index must be replaced as a whole, since a pattern for part of it is no valid name.
  const start = first.slice(0, length);
  return start.includes("[") ? "" : start;
}

/**
 * Whether a target matches only names with this wanted statement, and has at most one `*` outside
 * list indices.
 */
function meansOnly<Said>(target: string, said: Said, { wanted, names, textOf }: Wishes<Said>) {
  if (target.replaceAll("[*]", "").split("*").length > 2) return false;
  const text = textOf(said);
  return names.filter(wildcardMatcher(target)).every((name) => {
    const own = wanted.get(name);
    return own !== undefined && textOf(own) === text;
  });
}
