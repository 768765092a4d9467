import type { Collective } from "#core/collective";
import { countOf, idleAtoms, type Stack, type StackSpace } from "./stack.ts";

/** A collective from one ordinary layout to another. */
export interface StackMove {
  readonly collective: Collective;
  readonly after: Stack;
}

/**
 * What moves only the ends of dims (redistribution.md §7.7): fused gathers, all-to-alls that do not
 * chain, reduce-scatters and all-reduces of one kind, and relabellings with equal block counts.
 * They are made as they are asked for, since there are more of them than a search can look at.
 */
export function* stackMoves(space: StackSpace, stack: Stack): Generator<StackMove> {
  yield* reductions(space, stack);
  yield* gathers(stack);
  yield* moves(stack);
  yield* permutes(space, stack);
}

/**
 * The layouts that follow by slicing idle atoms that the target uses: on a dim up to three at once,
 * since the blocks of an uneven dim need not lie within those of fewer atoms.
 */
export function* stackSlices(space: StackSpace, stack: Stack): Generator<Stack> {
  const wanted = space.target.dims.flat();
  const idle = idleAtoms(space, stack).filter((atom) => wanted.includes(atom));
  const together = sequences(idle);
  for (const at of stack.dims.keys())
    for (const atoms of together) yield appended(stack, at, atoms);
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

function appended(stack: Stack, at: number, atoms: readonly number[]): Stack {
  const dims = stack.dims.map((dim, index) => (index === at ? [...dim, ...atoms] : dim));
  return { dims, partials: stack.partials };
}

/** Every choice of one item from each list, those of the last list first. */
function* product<T>(lists: readonly (readonly T[])[]): Generator<readonly T[]> {
  const [first, ...others] = lists;
  if (first === undefined) yield [];
  else for (const item of first) for (const rest of product(others)) yield [item, ...rest];
}

function* gathers(stack: Stack): Generator<StackMove> {
  const prefixes = stack.dims.map((dim) =>
    dim.map((_, end) => dim.slice(0, end)).concat([[...dim]]),
  );
  for (const dims of product(prefixes)) {
    if (dims.every((dim, at) => dim.length === stack.dims[at]?.length)) continue;
    yield { collective: "all-gather", after: { dims, partials: stack.partials } };
  }
}

/** Ends of some dims go to the ends of others that give nothing. */
function* moves(stack: Stack): Generator<StackMove> {
  const choices = stack.dims.map((dim, at) => [
    undefined,
    ...dim.flatMap((_, start) =>
      stack.dims.flatMap((_, to) => (to === at ? [] : [{ at, start, to }])),
    ),
  ]);
  for (const chosen of product(choices)) {
    const moved = chosen.filter((choice) => choice !== undefined);
    const sources = moved.map(({ at }) => at);
    if (moved.length === 0 || moved.some(({ to }) => sources.includes(to))) continue;
    const dims = stack.dims.map((dim, at) => {
      const own = moved.find((choice) => choice.at === at);
      const coming = moved.filter((choice) => choice.to === at);
      const kept = own === undefined ? dim : dim.slice(0, own.start);
      return [...kept, ...coming.flatMap((from) => stack.dims[from.at]?.slice(from.start) ?? [])];
    });
    yield { collective: "all-to-all", after: { dims, partials: stack.partials } };
  }
}

function* reductions(space: StackSpace, stack: Stack): Generator<StackMove> {
  const present = [...space.atoms.keys()].filter((atom) => (stack.partials >> atom) & 1);
  const kept = present.filter((atom) => (space.target.partials >> atom) & 1);
  const open = present.filter((atom) => !kept.includes(atom));
  for (let chosen = 1; chosen < 1 << open.length; chosen++) {
    const atoms = open.filter((_, at) => (chosen >> at) & 1);
    if (new Set(atoms.map((atom) => space.reduces[atom])).size > 1) continue;
    const partials = atoms.reduce((bits, atom) => bits & ~(1 << atom), stack.partials);
    yield { collective: "all-reduce", after: { dims: stack.dims, partials } };
    for (const places of product(atoms.map(() => [...stack.dims.keys()]))) {
      const dims = stack.dims.map((dim, at) => [
        ...dim,
        ...atoms.filter((_, index) => places[index] === at),
      ]);
      yield { collective: "reduce-scatter", after: { dims, partials } };
    }
  }
}

/**
 * Relabellings that give each dim the target's first atoms as far as its blocks allow; the rest is
 * filled by what is left, in every order while that is little.
 */
function permutes(space: StackSpace, stack: Stack): readonly StackMove[] {
  const counts = stack.dims.map((dim) => countOf(space, dim));
  const free = [...space.atoms.keys()].filter((atom) => ((stack.partials >> atom) & 1) === 0);
  const found: StackMove[] = [];
  const tried = { count: 0 };
  const walk = (
    at: number,
    dims: readonly (readonly number[])[],
    left: readonly number[],
  ): void => {
    if (found.length >= 200) return;
    const count = counts[at];
    if (count === undefined) {
      if (dims.some((dim, index) => dim.join() !== stack.dims[index]?.join())) {
        found.push({ collective: "collective-permute", after: { dims, partials: stack.partials } });
      }
      return;
    }
    for (const dim of fillings(space, count, left, tried)) {
      walk(
        at + 1,
        [...dims, dim],
        left.filter((atom) => !dim.includes(atom)),
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

/** Beyond so many, further sequences are not tried. */
const mostFillings = 120;

/** Beginnings of sequences, those that lead nowhere too, that are tried for one layout. */
const mostTried = 100_000;

/** The sequences of atoms that cut a dim into so many blocks. */
function fillings(
  space: StackSpace,
  count: number,
  left: readonly number[],
  tried: { count: number },
): readonly (readonly number[])[] {
  if (count === 1) return [[]];
  tried.count += 1;
  if (tried.count > mostTried) return [];
  const found: (readonly number[])[] = [];
  for (const atom of left) {
    const radix = space.atoms[atom]?.radix ?? 1;
    if (count % radix !== 0) continue;
    const rest = left.filter((other) => other !== atom);
    for (const dim of fillings(space, count / radix, rest, tried)) found.push([atom, ...dim]);
    if (found.length >= mostFillings) break;
  }
  return found;
}
