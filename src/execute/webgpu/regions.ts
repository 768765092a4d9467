import { type Box, intersect, lengthOf, volumeOf } from "#core/indexspace";
import { append } from "#core/records";
import type { BufferId } from "./gpu-program.ts";
import type { HeldBlock, ProgramBuilder } from "./program-builder.ts";
import { isRow, type Join, type Transfer, transferKernel, volume } from "./transfer-kernel.ts";

/** The words that one step along each dim of a block moves. */
export function stridesOf(box: Box): readonly number[] {
  const strides: number[] = [];
  let stride = 1;
  for (const range of box.toReversed()) {
    strides.unshift(stride);
    stride *= lengthOf(range);
  }
  return strides;
}

/** Word at which the tensor's origin would be, extrapolated from a block. */
export function originOf({ box, base }: HeldBlock, strides: readonly number[]): number {
  return box.reduce((sum, { start }, dim) => sum - start * (strides[dim] ?? 0), base);
}

/** The word of the first element of a region of a block. */
function wordOf(block: HeldBlock, strides: readonly number[], region: Box): number {
  const origin = originOf(block, strides);
  return region.reduce((sum, { start }, dim) => sum + start * (strides[dim] ?? 0), origin);
}

/** Transfer of a region, contained in both blocks, from one to the other. */
function transferOf(source: HeldBlock, target: HeldBlock, region: Box): Transfer {
  const [fromStrides, toStrides] = [stridesOf(source.box), stridesOf(target.box)];
  return normalized({
    from: [wordOf(source, fromStrides, region)],
    to: [wordOf(target, toStrides, region)],
    lengths: region.map(lengthOf),
    fromStrides,
    toStrides,
  });
}

/** Transfers between overlapping blocks, one per common region. */
export function transfersBetween(
  sources: readonly HeldBlock[],
  targets: readonly HeldBlock[],
  within?: Box,
): readonly Transfer[] {
  return sources.flatMap((source) =>
    targets.flatMap((target) => {
      const common = intersect(source.box, target.box);
      const region = common && within ? intersect(common, within) : common;
      return region === undefined || volumeOf(region) === 0
        ? []
        : [transferOf(source, target, region)];
    }),
  );
}

/** The same transfer with dims of length 1 left out and dims that are contiguous in memory merged. */
function normalized(transfer: Transfer): Transfer {
  const dims = transfer.lengths
    .map((length, dim) => ({
      length,
      from: transfer.fromStrides[dim] ?? 0,
      to: transfer.toStrides[dim] ?? 0,
    }))
    .filter(({ length }) => length !== 1);
  const merged: (typeof dims)[number][] = [];
  for (const dim of dims) {
    const outer = merged.at(-1);
    const isBehind =
      outer !== undefined &&
      outer.from === dim.from * dim.length &&
      outer.to === dim.to * dim.length;
    if (isBehind) merged[merged.length - 1] = { ...dim, length: outer.length * dim.length };
    else merged.push(dim);
  }
  return {
    ...transfer,
    lengths: merged.map(({ length }) => length),
    fromStrides: merged.map(({ from }) => from),
    toStrides: merged.map(({ to }) => to),
  };
}

/** Up to this number of runs, copy commands cost less than compiling a kernel. */
const fewRuns = 256;

/** Words of a run from which copying is faster than a kernel. */
const longRun = 256;

const mostRuns = 4_000;

/** Number of copies that a GPU executes in the time that starting a kernel takes. */
const fewCopies = 8;

/** Moves regions from one buffer to another: by copies if runs are long or few, else by kernels. */
export function move(
  builder: ProgramBuilder,
  label: string,
  [source, target]: readonly [BufferId, BufferId],
  transfers: readonly Transfer[],
): void {
  const runs = transfers.reduce((sum, transfer) => sum + runCount(transfer), 0);
  const words = transfers.reduce((sum, { lengths, to }) => sum + volume(lengths) * to.length, 0);
  const { isCpu } = builder.limits;
  const isCopied = isCpu
    ? runs <= fewRuns || (runs <= mostRuns && words >= longRun * runs)
    : runs <= fewCopies;
  if (isCopied) builder.copy(label, source, target, transfers.flatMap(runsOf));
  else moveByKernels(builder, label, [source, target], transfers);
}

/**
 * Joins regions from several places, in their order, and writes the result to one place or several.
 */
export function moveByKernels(
  builder: ProgramBuilder,
  label: string,
  buffers: readonly [BufferId, BufferId],
  transfers: readonly Transfer[],
  join?: Join,
): void {
  const classes = new Map<string, Transfer[]>();
  for (const transfer of gathered(transfers)) {
    const { from, to, lengths, fromStrides, toStrides } = transfer;
    const key = JSON.stringify([from.length, to.length, lengths, fromStrides, toStrides]);
    append(classes, key, transfer);
  }
  for (const alike of classes.values()) {
    builder.kernel(label, transferKernel(builder, buffers, alike, join));
  }
}

/** Transfers with the same sources as one transfer to all their targets. */
function gathered(transfers: readonly Transfer[]): readonly Transfer[] {
  const found = new Map<string, Transfer>();
  for (const transfer of transfers) {
    const { from, lengths, fromStrides, toStrides } = transfer;
    const key = JSON.stringify([from, lengths, fromStrides, toStrides]);
    const same = found.get(key);
    found.set(key, same === undefined ? transfer : { ...same, to: [...same.to, ...transfer.to] });
  }
  return [...found.values()];
}

function runCount(transfer: Transfer): number {
  const { lengths, to } = transfer;
  return to.length * volume(isRow(transfer) ? lengths.slice(0, -1) : lengths);
}

/** The contiguous runs of a region. */
function runsOf(transfer: Transfer) {
  const { from, to, lengths, fromStrides, toStrides } = transfer;
  const depth = isRow(transfer) ? lengths.length - 1 : lengths.length;
  const words = isRow(transfer) ? (lengths.at(-1) ?? 1) : 1;
  const runs: { from: number; to: number; words: number }[] = [];
  const go = (dim: number, source: number, target: number): void => {
    if (dim >= depth) {
      runs.push({ from: source, to: target, words });
      return;
    }
    for (let at = 0; at < (lengths[dim] ?? 1); at += 1) {
      go(dim + 1, source + at * (fromStrides[dim] ?? 0), target + at * (toStrides[dim] ?? 0));
    }
  };
  for (const target of to) go(0, from[0] ?? 0, target);
  return runs;
}
