import { groupedBy } from "#core/records";
import type { Choice } from "./choices.ts";
import { type Cover, coverOf, type Use } from "./use.ts";
import type { PlannedValue, Reader } from "./values.ts";

/**
 * The uses of a value by one unknown: `map` gives the class of each of the unknown's values, `uses`
 * the use of each class.
 */
export interface Side {
  readonly map: Int32Array;
  readonly uses: readonly Partial<Use>[];
}

/** How the unknown at an index uses a value, by each of its choices; equal uses are one class. */
export function sideOf(
  value: PlannedValue,
  at: number,
  choices: readonly (readonly Choice[])[],
): Side {
  const { source, readers } = value;
  if (source.kind === "rest" && at >= choices.length) {
    return { map: Int32Array.from(source.states.keys()), uses: source.states.map(restUse) };
  }
  const own = choices[at] ?? [];
  const output = source.kind === "operator" && source.operator === at ? source.output : undefined;
  const mine = readers.filter(({ operator }) => operator === at);
  return classed(own.map((choice) => usageOf(value, choice, output, mine)));
}

function restUse(source: number): Partial<Use> {
  return { source };
}

/**
 * The use of a value by a choice: the layouts in which it makes it, reads it and makes its
 * gradient.
 */
function usageOf(
  { hasGradient, tensor, isForgotten, isGatheredAgain = false, hiding }: PlannedValue,
  choice: Choice,
  output: number | undefined,
  readers: readonly Reader[],
): Partial<Use> {
  const source = output === undefined ? undefined : choice.makes[output];
  const readBy = (each: readonly Reader[]) =>
    each.map(({ position }) => choice.reads[position] ?? 0);
  const reads = readBy(readers.filter(({ pass }) => pass !== "backward"));
  const backward = readers.filter(({ pass }) => pass !== "recompute");
  const makes = readers.filter(({ makesGradient }) => hasGradient && makesGradient);
  const gradients = statesAt(choice.gradients, makes);
  const isParameter = tensor.role === "parameter";
  const once = readBy(readers.filter(({ isRunAgain }) => isRunAgain === true));
  const later = isForgotten === true ? [] : [...statesAt(choice.again, backward), ...once];
  const isApart = isParameter || isGatheredAgain;
  const [again, more] = isApart ? [later, []] : [[], later];
  const from = source === undefined ? {} : { source };
  const kept = readers.filter(({ pass }) => pass === undefined);
  const isKept = choice.readsResult && choice.makes.length === 1;
  const own = source === undefined || !isKept || isForgotten === true ? [] : [source];
  const held =
    isParameter || isForgotten === true ? [] : [...statesAt(choice.again, kept), ...once];
  return {
    ...from,
    holds: distinctOf([...own, ...held]),
    reads: distinctOf([...reads, ...more]),
    gradients: distinctOf(gradients),
    again,
    ...(hiding !== undefined && output === undefined && { cover: coverBy(choice, hiding.times) }),
  };
}

function coverBy({ seconds, forwardSeconds }: Choice, times: number): Cover {
  if (!Number.isFinite(times)) return { forward: 0, backward: 0 };
  return { forward: times * forwardSeconds, backward: times * (seconds - forwardSeconds) };
}

function coverText({ cover }: Partial<Use>): readonly number[] {
  return cover === undefined ? [] : [cover.forward, cover.backward];
}

/** The states that a choice names at the positions of some readers, where it names one. */
function statesAt(states: readonly number[], readers: readonly Reader[]): readonly number[] {
  return readers.flatMap(({ position }) => {
    const state = states[position] ?? -1;
    return state < 0 ? [] : [state];
  });
}

/**
 * Equal layouts of one operator count once: it reads a layout once, and adds up its own gradients.
 */
function distinctOf(states: readonly number[]): readonly number[] {
  return states.length < 2 ? states : [...new Set(states)];
}

function classed(uses: readonly Partial<Use>[]): Side {
  const known = new Map<string, number>();
  const distinct: Partial<Use>[] = [];
  const map = Int32Array.from(uses, (use) => {
    const key = [
      use.source,
      use.reads,
      use.gradients,
      use.again,
      use.holds,
      ...coverText(use),
    ].join("|");
    const found = known.get(key) ?? distinct.push(use) - 1;
    known.set(key, found);
    return found;
  });
  return { map, uses: distinct };
}

/** How a value is used under a whole plan. */
export function usageIn(
  value: PlannedValue,
  plan: readonly number[],
  choices: readonly (readonly Choice[])[],
  restOf: ReadonlyMap<PlannedValue, number>,
): Use {
  const { source, readers } = value;
  const chosen = (at: number) => choices[at]?.[plan[at] ?? -1];
  const uses = [...byOperator(readers)].flatMap(([at, mine]) => {
    const choice = chosen(at);
    if (choice === undefined) return [];
    const isWide = readers.length > fewReaders;
    return [isWide ? readersUse(value, choice, at, mine) : usageOf(value, choice, undefined, mine)];
  });
  const own =
    source.kind === "operator"
      ? chosen(source.operator)?.makes[source.output]
      : source.kind === "given"
        ? source.state
        : source.states[plan[restOf.get(value) ?? -1] ?? -1];
  const maker = source.kind === "operator" ? chosen(source.operator) : undefined;
  const output = source.kind === "operator" ? source.output : undefined;
  const kept = maker === undefined ? [] : (usageOf(value, maker, output, []).holds ?? []);
  return {
    source: own ?? 0,
    reads: uses.flatMap(({ reads = [] }) => reads),
    gradients: uses.flatMap(({ gradients = [] }) => gradients),
    again: uses.flatMap(({ again = [] }) => again),
    holds: [...kept, ...uses.flatMap(({ holds = [] }) => holds)],
    cover: coverOf(uses),
  };
}

/** Readers of a value from which on it is remembered what a choice of each means for it. */
const fewReaders = 8;

const readersUses = new WeakMap<PlannedValue, Map<number, Map<Choice, Partial<Use>>>>();

/** The use of a value by a choice of the operator at an index, which reads it: worked out once. */
function readersUse(
  value: PlannedValue,
  choice: Choice,
  at: number,
  readers: readonly Reader[],
): Partial<Use> {
  const byReader = readersUses.get(value) ?? new Map<number, Map<Choice, Partial<Use>>>();
  readersUses.set(value, byReader);
  const known = byReader.get(at) ?? new Map<Choice, Partial<Use>>();
  byReader.set(at, known);
  const use = known.get(choice) ?? usageOf(value, choice, undefined, readers);
  known.set(choice, use);
  return use;
}

const grouped = new WeakMap<readonly Reader[], ReadonlyMap<number, readonly Reader[]>>();

/** The readers of a value by operator: one may read it more than once. */
function byOperator(readers: readonly Reader[]): ReadonlyMap<number, readonly Reader[]> {
  const known = grouped.get(readers);
  if (known !== undefined) return known;
  const groups = groupedBy(readers, (reader) => reader.operator);
  grouped.set(readers, groups);
  return groups;
}
