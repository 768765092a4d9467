import { product, sum } from "#core/arithmetic";
import type { Collective } from "#core/collective";
import type { Range } from "#core/indexspace";
import { sameBox } from "#core/indexspace";
import { heldByDim } from "#core/mesh";
import { commonLength } from "./blocks.ts";
import { countOf, type DigitLayout, type DigitSpace, dimOfDigits } from "./digit-layout.ts";

/**
 * Elements that a device receives in a step; `undefined` when some device cannot reach its block by
 * it.
 */
export type Received = (
  now: DigitLayout,
  then: DigitLayout,
  collective: Collective,
) => number | undefined;

/** The ranges of each dim that every device holds; empty for a device without cells. */
type HeldAlong = (digits: DigitLayout) => readonly (readonly (readonly Range[])[])[];

/**
 * Elements that a device receives in steps between ordinary layouts, with blocks padded to the
 * largest (redistribution.md §7.7).
 *
 * A dim may be cut further or gathered in part only if its finer blocks nest in the coarser ones:
 * even dims, nested chunks, whole dims, and flat dims whose blocks happen to nest.
 */
export function receivedIn(space: DigitSpace): Received {
  const known = space.shape.map(() => new Map<string, readonly (readonly Range[])[]>());
  const heldOf: HeldAlong = (digits) =>
    known.map((alongDim, at) => {
      const key = digits.dims[at]?.join() ?? "";
      const held = alongDim.get(key) ?? rangesAlong(space, digits, at);
      alongDim.set(key, held);
      return held;
    });
  // Last answer: a search asks for all steps from one layout before those from the next.
  let last: { readonly digits: DigitLayout; readonly held: ReturnType<HeldAlong> } | undefined;
  const heldAlong: HeldAlong = (digits) => {
    if (digits !== last?.digits) last = { digits, held: heldOf(digits) };
    return last.held;
  };
  const sends: Sends = (now, then) => sendsBlocks(space, heldAlong(now), heldOf(then));
  return (now, then, collective) => receivedBetween(space, now, then, collective, sends);
}

/** Whether a permutation from one layout to another sends anything. */
type Sends = (now: DigitLayout, then: DigitLayout) => boolean;

function receivedBetween(
  space: DigitSpace,
  now: DigitLayout,
  then: DigitLayout,
  collective: Collective,
  sends: Sends,
): number | undefined {
  const isPermute = collective === "collective-permute";
  let finest = 1;
  for (const [at, size] of space.shape.entries()) {
    const [before, after] = [countIn(space, now, at), countIn(space, then, at)];
    const [coarse, fine] = [Math.min(before, after), Math.max(before, after)];
    const divides = size % fine === 0;
    if (isPermute && !divides && space.chunks[at] === "nested") return undefined;
    if (!divides && !isNested(size, coarse, fine, space.chunks[at] === "nested")) return undefined;
    finest *= Math.ceil(size / fine);
  }
  const held = sizeOfDigits(space, now);
  switch (collective) {
    case "slice":
    case "exchange":
      return 0;
    case "all-gather":
      return held * (groupBetween(space, now, then) - 1);
    case "all-to-all":
    case "reduce-scatter":
      return finest * (groupBetween(space, now, then) - 1);
    case "all-reduce":
      return 2 * (held - held / groupBetween(space, now, then));
    case "collective-permute":
      return isEven(space, now) || sends(now, then) ? held : 0;
  }
}

function isEven(space: DigitSpace, digits: DigitLayout): boolean {
  return space.shape.every((size, at) => size % countIn(space, digits, at) === 0);
}

/** A device receives nothing if it keeps its block or the block is empty. */
function sendsBlocks(
  space: DigitSpace,
  before: ReturnType<HeldAlong>,
  after: ReturnType<HeldAlong>,
): boolean {
  return space.from.mesh.devices.some(
    (_, device) =>
      after.some((dim, at) => !sameBox(dim[device] ?? [], before[at]?.[device] ?? [])) &&
      after.every((dim) => dim[device]?.length !== 0),
  );
}

/** The ranges of one dim that every device holds. */
function rangesAlong(
  space: DigitSpace,
  digits: DigitLayout,
  at: number,
): readonly (readonly Range[])[] {
  const { mesh } = space.from;
  const dims = [dimOfDigits(space, digits, at)];
  return heldByDim({ mesh, dims, partials: [] }, [space.shape[at] ?? 0])[0] ?? [];
}

/** Elements of the largest block. */
export function sizeOfDigits(space: DigitSpace, digits: DigitLayout): number {
  return space.shape.reduce((n, size, at) => n * Math.ceil(size / countIn(space, digits, at)), 1);
}

function countIn(space: DigitSpace, digits: DigitLayout, at: number): number {
  return countOf(space, digits.dims[at] ?? []);
}

/** Whether each block of the finer cut lies within one block of the coarser cut. */
function isNested(size: number, coarse: number, fine: number, isChunkedTwice: boolean): boolean {
  if (coarse === 1 || coarse === fine || isChunkedTwice) return true;
  const [inner, outer] = [Math.ceil(size / fine), Math.ceil(size / coarse)];
  for (let block = 0; block * inner < size; block++) {
    const start = Math.floor((block * coarse) / fine) * outer;
    const isWithin = start <= block * inner && Math.min(size, (block + 1) * inner) <= start + outer;
    if (!isWithin) return false;
  }
  return true;
}

/** Number of devices in a group: those that differ in the sub-axes that change. */
function groupBetween(space: DigitSpace, now: DigitLayout, then: DigitLayout): number {
  const changed = [...space.subAxes.keys()].filter((subAxis) => {
    const isReduced = ((now.partials ^ then.partials) >> subAxis) & 1;
    return isReduced || dimOf(now, subAxis) !== dimOf(then, subAxis);
  });
  return countOf(space, changed);
}

function dimOf({ dims }: DigitLayout, subAxis: number): number {
  return dims.findIndex((subAxes) => subAxes.includes(subAxis));
}

/**
 * The lower bound from layouts of a space to its target (redistribution.md §3.2), from the overlaps
 * of each dim alone, since a block is their product.
 */
export function boundsTo(space: DigitSpace): (digits: DigitLayout) => number {
  const wanted = space.shape.map((_, at) => rangesAlong(space, space.target, at));
  const sizes = space.from.mesh.devices.map((_, device) =>
    wanted.reduce((n, ranges) => n * commonLength(ranges[device] ?? [], ranges[device] ?? []), 1),
  );
  const known = new Map<string, readonly number[]>();
  const overlapOf = (digits: DigitLayout, at: number): readonly number[] => {
    const key = `${at}:${digits.dims[at]}`;
    const found =
      known.get(key) ??
      rangesAlong(space, digits, at).map((ranges, device) =>
        commonLength(ranges, wanted[at]?.[device] ?? []),
      );
    known.set(key, found);
    return found;
  };
  const most = Math.max(...sizes);
  const copies = sum(sizes);
  const elements = product(space.shape);
  const kept = groupOfPartials(space, space.target);
  return (digits) => {
    const addends = groupOfPartials(space, digits) / kept;
    if (addends > 1)
      return Math.max(most, (kept * elements * (addends - 2) + copies) / sizes.length);
    return mostBeyond(
      sizes,
      space.shape.map((_, at) => overlapOf(digits, at)),
    );
  };
}

/**
 * The largest difference, over all devices, between a block's size and the product of its overlaps.
 */
function mostBeyond(sizes: readonly number[], overlaps: readonly (readonly number[])[]): number {
  let most = 0;
  for (const [device, size] of sizes.entries()) {
    if (size <= most) continue;
    let own = 1;
    for (const overlap of overlaps) own *= overlap[device] ?? 0;
    most = Math.max(most, size - own);
  }
  return most;
}

function groupOfPartials(space: DigitSpace, { partials }: DigitLayout): number {
  return countOf(
    space,
    [...space.subAxes.keys()].filter((subAxis) => (partials >> subAxis) & 1),
  );
}
