import { product, sum } from "#core/arithmetic";
import { digitOf, type Layout, type Partial, partSize, type ReduceKind } from "#core/mesh";

/** The contributions (addends of partial values) under a layout, and the device that holds each. */
export interface Contributions {
  /** The partial parts larger than one device. */
  readonly partials: readonly Partial[];
  /** The digits of every contribution, one per part, in row-major order; one empty list if none. */
  readonly digits: readonly (readonly number[])[];
  /** Number of the contribution that the device at an index of the mesh holds. */
  of(deviceIndex: number): number;
}

/** The contributions of a layout's devices. */
export function contributionsOf(layout: Layout): Contributions {
  const partials = layout.partials.filter(({ part }) => partSize(part) > 1);
  const digits = partials.reduce<readonly (readonly number[])[]>(
    (lists, { part }) =>
      lists.flatMap((list) =>
        Array.from({ length: partSize(part) }, (_, digit) => [...list, digit]),
      ),
    [[]],
  );
  const of = (index: number) =>
    partials.reduce(
      (number, { part }) => number * partSize(part) + digitOf(layout.mesh, part, index),
      0,
    );
  return { partials, digits, of };
}

/** One device's contribution to a value, by its digits along the partial parts. */
export function contributionOf(
  partials: readonly Partial[],
  digits: readonly number[],
  value: number,
  offset: number,
): number {
  return partials.reduce(
    (share, { part, reduce }, level) =>
      shareOf(reduce, share, digits[level] ?? 0, partSize(part), offset + 3 * level),
    value,
  );
}

/** Combines the contributions of all digits, the innermost part first. */
export function combine(
  partials: readonly Partial[],
  shares: readonly Float64Array[],
): Float64Array {
  const last = partials.at(-1);
  if (last === undefined) return shares[0] ?? new Float64Array(0);
  const run = partSize(last.part);
  const firsts = shares.filter((_, at) => at % run === 0);
  const combined = firsts.map((first, group) => {
    const others = shares.slice(group * run + 1, (group + 1) * run);
    const join = joinOf(last.reduce);
    const scale = scaleOf(last.reduce, run);
    return first.map(
      (value, at) =>
        others.reduce((sum, other) => join(sum, other[at] ?? Number.NaN), value) * scale,
    );
  });
  return combine(partials.slice(0, -1), combined);
}

/**
 * Function that joins two contributions of a kind; an average is a sum that is scaled at the end.
 */
export function joinOf(reduce: ReduceKind): (held: number, added: number) => number {
  switch (reduce) {
    case "sum":
    case "avg":
      return (held, added) => held + added;
    case "max":
      return Math.max;
    case "min":
      return Math.min;
    case "prod":
      return (held, added) => held * added;
  }
}

/** The factor on the sum of the contributions of `count` devices: 1 / count for `avg`, else 1. */
export function scaleOf(reduce: ReduceKind, count: number): number {
  return reduce === "avg" ? 1 / count : 1;
}

/**
 * Contribution of one of `count` devices to a value; all contributions combine to the value,
 * exactly for integers.
 */
function shareOf(
  reduce: ReduceKind,
  value: number,
  digit: number,
  count: number,
  offset: number,
): number {
  const owner = offset % count;
  switch (reduce) {
    case "sum":
      return digit === 0 ? value - driftSum(count, offset) : drift(digit, offset);
    case "avg":
      return digit === 0 ? value - driftSum(count, offset) : value + drift(digit, offset);
    case "max":
      return digit === owner ? value : value - 1 - ((offset + digit) % 5);
    case "min":
      return digit === owner ? value : value + 1 + ((offset + digit) % 5);
    case "prod":
      return digit === owner ? value * signs(count, owner, offset) : sign(digit, offset);
  }
}

function drift(digit: number, offset: number): number {
  return ((offset * 31 + digit * 17) % 13) - 6;
}

function driftSum(count: number, offset: number): number {
  return sum(Array.from({ length: count - 1 }, (_, at) => drift(at + 1, offset)));
}

function sign(digit: number, offset: number): number {
  return (offset + digit) % 3 === 0 ? -1 : 1;
}

function signs(count: number, owner: number, offset: number): number {
  return product(
    Array.from({ length: count }, (_, digit) => (digit === owner ? 1 : sign(digit, offset))),
  );
}
