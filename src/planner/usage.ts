import { groupedBy } from "#core/records";
import type { Choice } from "./choices.ts";
import type { Cover, Use } from "./use.ts";
import type { PlannedValue, Reader } from "./values.ts";

/**
 * The uses of a value by one unknown: `map` gives the class of each of the unknown's values, `uses`
 * the use of each class.
 */
export interface Side {
  readonly map: Int32Array;
  readonly uses: readonly Partial<Use>[];
}

/**
 * The uses of a value by the unknown at an index, for each of its choices; equal uses are one
 * class.
 */
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
 * The use of a value by a choice: the layouts in which it makes the value, reads it and makes its
 * gradient.
 */
function usageOf(
  value: PlannedValue,
  choice: Choice,
  output: number | undefined,
  readers: readonly Reader[],
): Partial<Use> {
  const { hasGradient, tensor, isForgotten, isGatheredAgain = false, hiding } = value;
  const source = output === undefined ? undefined : choice.makes[output];
  const { reads, backward, gradients, once, kept } = placesOf(readers);
  const isParameter = tensor.role === "parameter";
  const reread = once.map((position) => choice.reads[position] ?? 0);
  const later = isForgotten === true ? [] : [...statesAt(choice.again, backward), ...reread];
  const isApart = isParameter || isGatheredAgain;
  const [again, more] = isApart ? [later, []] : [[], later];
  const isKept = choice.readsResult && choice.makes.length === 1;
  const own = source === undefined || !isKept || isForgotten === true ? [] : [source];
  const held =
    isParameter || isForgotten === true ? [] : [...statesAt(choice.again, kept), ...reread];
  return {
    ...(source !== undefined && { source }),
    holds: distinctOf([...own, ...held]),
    reads: distinctOf([...reads.map((position) => choice.reads[position] ?? 0), ...more]),
    gradients: hasGradient ? distinctOf(statesAt(choice.gradients, gradients)) : [],
    again,
    ...(hiding !== undefined && output === undefined && { cover: coverBy(choice, hiding.times) }),
  };
}

/** Positions of operands, by the kind of access. */
interface Places {
  /** Operands read in the forward pass. */
  readonly reads: readonly number[];
  /** Operands read for the backward pass. */
  readonly backward: readonly number[];
  /** Operands for which the reader makes a gradient of the value. */
  readonly gradients: readonly number[];
  /** Operands read once more by an operator that runs again. */
  readonly once: readonly number[];
  /** Operands kept by the reader until the backward pass. */
  readonly kept: readonly number[];
}

const places = new WeakMap<readonly Reader[], Places>();

/**
 * The positions at which readers read a value and make its gradient, the same for all their
 * choices.
 */
function placesOf(readers: readonly Reader[]): Places {
  const known = places.get(readers);
  if (known !== undefined) return known;
  const where = (is: (reader: Reader) => boolean) =>
    readers.filter(is).map(({ position }) => position);
  const found = {
    reads: where(({ pass }) => pass !== "backward"),
    backward: where(({ pass }) => pass !== "recompute"),
    gradients: where(({ makesGradient }) => makesGradient),
    once: where(({ isRunAgain }) => isRunAgain === true),
    kept: where(({ pass }) => pass === undefined),
  };
  places.set(readers, found);
  return found;
}

function coverBy({ seconds, forwardSeconds }: Choice, times: number): Cover {
  if (!Number.isFinite(times)) return { forward: 0, backward: 0 };
  return { forward: times * forwardSeconds, backward: times * (seconds - forwardSeconds) };
}

function coverText({ cover }: Partial<Use>): readonly number[] {
  return cover === undefined ? [] : [cover.forward, cover.backward];
}

/** States that a choice has at some positions; missing ones are left out. */
function statesAt(states: readonly number[], positions: readonly number[]): readonly number[] {
  return positions.flatMap((position) => {
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

const nobody: readonly Reader[] = [];

/** The use of a value under a whole plan. */
export function usageIn(
  value: PlannedValue,
  plan: readonly number[],
  choices: readonly (readonly Choice[])[],
  restOf: ReadonlyMap<PlannedValue, number>,
): Use {
  const { source, readers } = value;
  const chosen = (at: number) => choices[at]?.[plan[at] ?? -1];
  const isWide = readers.length > fewReaders;
  const maker = source.kind === "operator" ? chosen(source.operator) : undefined;
  const output = source.kind === "operator" ? source.output : undefined;
  const made = maker === undefined ? undefined : usageOf(value, maker, output, nobody);
  const own =
    source.kind === "operator"
      ? maker?.makes[source.output]
      : source.kind === "given"
        ? source.state
        : source.states[plan[restOf.get(value) ?? -1] ?? -1];
  const reads: number[] = [];
  const gradients: number[] = [];
  const again: number[] = [];
  const holds = [...(made?.holds ?? [])];
  let [forward, backward] = [0, 0];
  // Hot path: runs for every tried plan.
  for (const [at, mine] of byOperator(readers)) {
    const choice = chosen(at);
    if (choice === undefined) continue;
    const use = isWide
      ? readersUse(value, choice, at, mine)
      : usageOf(value, choice, undefined, mine);
    addTo(reads, use.reads);
    addTo(gradients, use.gradients);
    addTo(again, use.again);
    addTo(holds, use.holds);
    forward += use.cover?.forward ?? 0;
    backward += use.cover?.backward ?? 0;
  }
  return { source: own ?? 0, reads, gradients, again, holds, cover: { forward, backward } };
}

function addTo(list: number[], more: readonly number[] | undefined): void {
  if (more !== undefined) for (const each of more) list.push(each);
}

/** The number of readers of a value from which on uses are remembered. */
const fewReaders = 8;

const readersUses = new WeakMap<PlannedValue, Map<number, Map<Choice, Partial<Use>>>>();

/** The use of a value by a choice of the operator at an index, which reads it; remembered. */
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

type ByOperator = readonly (readonly [operator: number, readers: readonly Reader[]])[];

const grouped = new WeakMap<readonly Reader[], ByOperator>();

/** The readers of a value by operator; one operator may read it more than once. */
function byOperator(readers: readonly Reader[]): ByOperator {
  const known = grouped.get(readers);
  if (known !== undefined) return known;
  const groups = [...groupedBy(readers, (reader) => reader.operator)];
  grouped.set(readers, groups);
  return groups;
}
