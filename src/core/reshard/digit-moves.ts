import type { Collective } from "#core/collective";
import { countOf, type DigitLayout, type DigitSpace, idleSubAxes } from "./digit-layout.ts";

/** A collective from one ordinary layout to another. */
export interface DigitMove {
  readonly collective: Collective;
  readonly after: DigitLayout;
}

/**
 * Collectives that move only the ends of dims (redistribution.md §7.7): fused gathers, all-to-alls
 * that do not chain, reduce-scatters and all-reduces of one kind, and relabellings with equal block
 * counts. They are generated lazily, since there are more than a search can visit.
 */
export function* digitMoves(space: DigitSpace, digits: DigitLayout): Generator<DigitMove> {
  yield* reductions(space, digits);
  yield* gathers(digits);
  yield* moves(digits);
  yield* permutes(space, digits);
}

/**
 * Layouts after slices of idle sub-axes that the target uses. Up to three are sliced at once on a
 * dim, since the blocks of an uneven dim need not nest in those of fewer sub-axes.
 */
export function* digitSlices(space: DigitSpace, digits: DigitLayout): Generator<DigitLayout> {
  const wanted = space.target.dims.flat();
  const idle = idleSubAxes(space, digits).filter((subAxis) => wanted.includes(subAxis));
  const together = sequences(idle);
  for (const at of digits.dims.keys())
    for (const subAxes of together) yield appended(digits, at, subAxes);
}

/** Every order of one to three of the items. */
function sequences(items: readonly number[]): readonly (readonly number[])[] {
  const found: (readonly number[])[] = [];
  for (const first of items) {
    found.push([first]);
    for (const second of items) {
      if (second === first) continue;
      found.push([first, second]);
      for (const third of items)
        if (third !== first && third !== second) found.push([first, second, third]);
    }
  }
  return found;
}

function appended(digits: DigitLayout, at: number, subAxes: readonly number[]): DigitLayout {
  const dims = digits.dims.map((dim, index) => (index === at ? [...dim, ...subAxes] : dim));
  return { dims, partials: digits.partials };
}

/** Every choice of one item from each list, those of the last list first. */
function* product<T>(lists: readonly (readonly T[])[]): Generator<readonly T[]> {
  const [first, ...others] = lists;
  if (first === undefined) yield [];
  else for (const item of first) for (const rest of product(others)) yield [item, ...rest];
}

function* gathers(digits: DigitLayout): Generator<DigitMove> {
  const prefixes = digits.dims.map((dim) =>
    dim.map((_, end) => dim.slice(0, end)).concat([[...dim]]),
  );
  for (const dims of product(prefixes)) {
    if (dims.every((dim, at) => dim.length === digits.dims[at]?.length)) continue;
    yield { collective: "all-gather", after: { dims, partials: digits.partials } };
  }
}

/** Moves the innermost sub-axes of some dims to the inner ends of other dims, which lose none. */
function* moves(digits: DigitLayout): Generator<DigitMove> {
  const choices = digits.dims.map((dim, at) => [
    undefined,
    ...dim.flatMap((_, start) =>
      digits.dims.flatMap((_, to) => (to === at ? [] : [{ at, start, to }])),
    ),
  ]);
  for (const chosen of product(choices)) {
    const moved = chosen.filter((choice) => choice !== undefined);
    const sources = moved.map(({ at }) => at);
    if (moved.length === 0 || moved.some(({ to }) => sources.includes(to))) continue;
    const dims = digits.dims.map((dim, at) => {
      const own = moved.find((choice) => choice.at === at);
      const coming = moved.filter((choice) => choice.to === at);
      const kept = own === undefined ? dim : dim.slice(0, own.start);
      return [...kept, ...coming.flatMap((from) => digits.dims[from.at]?.slice(from.start) ?? [])];
    });
    yield { collective: "all-to-all", after: { dims, partials: digits.partials } };
  }
}

function* reductions(space: DigitSpace, digits: DigitLayout): Generator<DigitMove> {
  const present = [...space.subAxes.keys()].filter((subAxis) => (digits.partials >> subAxis) & 1);
  const kept = present.filter((subAxis) => (space.target.partials >> subAxis) & 1);
  const open = present.filter((subAxis) => !kept.includes(subAxis));
  for (let chosen = 1; chosen < 1 << open.length; chosen++) {
    const subAxes = open.filter((_, at) => (chosen >> at) & 1);
    if (new Set(subAxes.map((subAxis) => space.reduces[subAxis])).size > 1) continue;
    const partials = subAxes.reduce((bits, subAxis) => bits & ~(1 << subAxis), digits.partials);
    yield { collective: "all-reduce", after: { dims: digits.dims, partials } };
    for (const places of product(subAxes.map(() => [...digits.dims.keys()]))) {
      const dims = digits.dims.map((dim, at) => [
        ...dim,
        ...subAxes.filter((_, index) => places[index] === at),
      ]);
      yield { collective: "reduce-scatter", after: { dims, partials } };
    }
  }
}

/**
 * Permutes that give each dim the target's outermost sub-axes as far as its number of blocks
 * allows, and fill the rest with the remaining sub-axes, in every order while there are few.
 */
function permutes(space: DigitSpace, digits: DigitLayout): readonly DigitMove[] {
  const counts = digits.dims.map((dim) => countOf(space, dim));
  const free = [...space.subAxes.keys()].filter(
    (subAxis) => ((digits.partials >> subAxis) & 1) === 0,
  );
  const found: DigitMove[] = [];
  const tried = { count: 0 };
  const walk = (
    at: number,
    dims: readonly (readonly number[])[],
    left: readonly number[],
  ): void => {
    if (found.length >= 200) return;
    const count = counts[at];
    if (count === undefined) {
      if (dims.some((dim, index) => dim.join() !== digits.dims[index]?.join())) {
        found.push({
          collective: "collective-permute",
          after: { dims, partials: digits.partials },
        });
      }
      return;
    }
    for (const dim of fillings(space, count, left, tried)) {
      walk(
        at + 1,
        [...dims, dim],
        left.filter((subAxis) => !dim.includes(subAxis)),
      );
    }
  };
  const wanted = space.target.dims.flat();
  walk(
    0,
    [],
    [...free].sort((a, b) => Number(wanted.includes(b)) - Number(wanted.includes(a))),
  );
  return found;
}

/** The most sequences that are tried. */
const mostFillings = 120;

/** The most beginnings of sequences tried for one layout, dead ends included. */
const mostTried = 100_000;

/** The sequences of sub-axes that cut a dim into a number of blocks. */
function fillings(
  space: DigitSpace,
  count: number,
  left: readonly number[],
  tried: { count: number },
): readonly (readonly number[])[] {
  if (count === 1) return [[]];
  tried.count += 1;
  if (tried.count > mostTried) return [];
  const found: (readonly number[])[] = [];
  for (const subAxis of left) {
    const radix = space.subAxes[subAxis]?.radix ?? 1;
    if (count % radix !== 0) continue;
    const rest = left.filter((other) => other !== subAxis);
    for (const dim of fillings(space, count / radix, rest, tried)) found.push([subAxis, ...dim]);
    if (found.length >= mostFillings) break;
  }
  return found;
}
