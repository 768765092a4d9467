import type { Box, Range } from "#core/indexspace";
import {
  type DeviceId,
  digitOf,
  type Layout,
  type Part,
  partSize,
  replicationOf,
  type Slice,
  slicesOf,
} from "#core/mesh";

/** A range as the table prints it: `0…1023` inclusive, `5` for a single index, `none` if empty. */
export interface DrawnRange extends Range {
  readonly text: string;
}

/** One row of the table behind a drawing: one box of one device. */
export interface TableRow {
  readonly device: DeviceId;
  /** Which of the device's boxes, from 0; all rows of other layouts have piece 0. */
  readonly piece: number;
  readonly ranges: readonly DrawnRange[];
  readonly localShape: readonly number[];
  /** `part 1 of 2` of a partial; `copy 2 of 4`; `own 2 of 4`; `only copy`; `whole` where one device has all. */
  readonly state: string;
}

/**
 * The table of a tensor: by device id, then by piece. Of what is as the text says, copies are
 * `own 1 of 4`: each device has a value of its own.
 */
export function rowsOf(
  layout: Layout,
  shape: readonly number[],
  asGiven?: string,
): readonly TableRow[] {
  const indexOf = new Map(layout.mesh.devices.map((device, index) => [device, index]));
  const copies = replicationOf(layout);
  const partials = layout.partials.map((partial) => partial.part);
  return slicesOf(layout, shape).map((slice) => {
    const index = indexOf.get(slice.device) ?? 0;
    return {
      device: slice.device,
      piece: slice.piece,
      ranges: slice.ranges.map(drawnRange),
      localShape: slice.ranges.map((range) => range.stop - range.start),
      state: stateText(layout, partials, copies, index, isAll(slice, shape)).replace(
        /\bcopy(?= \d)/u,
        asGiven === undefined ? "copy" : "own",
      ),
    };
  });
}

/** A half-open range with the text that drawings and tables show. */
export function drawnRange(range: Range): DrawnRange {
  const { start, stop } = range;
  if (stop <= start) return { start, stop, text: "none" };
  return { start, stop, text: stop - start === 1 ? `${start}` : `${start}…${stop - 1}` };
}

/** A box in words for captions, dims without a cut left out: `s 0…511, f 0…63`. */
export function boxText(box: Box, names: readonly string[], dims: readonly number[]): string {
  return dims
    .flatMap((dim) => {
      const range = box[dim];
      return range === undefined ? [] : [`${names[dim] ?? `d${dim}`} ${drawnRange(range).text}`];
    })
    .join(", ");
}

function stateText(
  layout: Layout,
  partials: readonly Part[],
  copies: readonly Part[],
  index: number,
  holdsAll: boolean,
): string {
  const part = ordinal(layout, partials, index);
  const copy = ordinal(layout, copies, index);
  if (part.count > 1) {
    const of = `part ${part.position + 1} of ${part.count}`;
    return copy.count > 1 ? `${of}, copy ${copy.position + 1} of ${copy.count}` : of;
  }
  if (copy.count > 1) return `copy ${copy.position + 1} of ${copy.count}`;
  return holdsAll ? "whole" : "only copy";
}

/** Where a device stands along several parts taken together, major first. */
function ordinal(
  layout: Layout,
  parts: readonly Part[],
  index: number,
): { readonly position: number; readonly count: number } {
  return parts.reduce(
    ({ position, count }, part) => ({
      position: position * partSize(part) + digitOf(layout.mesh, part, index),
      count: count * partSize(part),
    }),
    { position: 0, count: 1 },
  );
}

function isAll(slice: Slice, shape: readonly number[]): boolean {
  return slice.ranges.every((range, dim) => range.start === 0 && range.stop === shape[dim]);
}
