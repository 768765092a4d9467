import { type Box, boxOf, containsBox, type Range } from "#core/indexspace";
import type { Tensor } from "#core/ir";
import {
  type DeviceId,
  type DeviceMesh,
  digitOf,
  type Layout,
  type Part,
  partSize,
  replicationOf,
  type Slice,
  slicesOf,
} from "#core/mesh";
import type { Value } from "#core/program";
import { fieldOf } from "#core/records";

/** A range with its text in tables: `0…1023` inclusive, `5` for a single index, `none` if empty. */
export interface DrawnRange extends Range {
  readonly text: string;
}

/** One row of the table behind a drawing: one box of one device. */
export interface TableRow {
  readonly device: DeviceId;
  /** Number of the box on its device, from 0; always 0 if each device has one box. */
  readonly piece: number;
  readonly ranges: readonly DrawnRange[];
  readonly localShape: readonly number[];
  /**
   * State of the box: `part 1 of 2` for a partial value; `copy 2 of 4`; `own 2 of 4`; `only copy`;
   * `whole` if the device holds the whole tensor; `unknown`.
   */
  readonly state: string;
}

/** A layout, with the boxes that devices hold if they differ from its blocks. */
interface Lie {
  readonly layout: Layout;
  readonly held?: Value["held"];
}

/**
 * The table of a tensor, sorted by device id, then by piece; only `devices` if given. Ranges are in
 * the tensor's own indices, which need not start at 0. `unverified` marks a tensor whose copies may
 * differ: their state is `own 1 of 4` instead of `copy 1 of 4`.
 */
export function rowsOf(
  { layout, held }: Lie,
  { shape, start = [], isUnknown }: Pick<Tensor, "shape" | "start" | "isUnknown">,
  unverified?: string,
  devices?: readonly DeviceId[],
): readonly TableRow[] {
  const copies = replicationOf(layout);
  const partials = layout.partials.map((partial) => partial.part);
  const whole = boxOf(shape);
  return slicesOf(layout, shape, devices).flatMap((slice) => {
    const index = indexIn(layout.mesh, slice.coordinates);
    const own = held?.[index];
    const boxes = own === undefined ? [slice.ranges] : slice.piece === 0 ? own : [];
    return boxes.map((box, at): TableRow => {
      const state = stateText(layout, partials, copies, index, containsBox(box, whole));
      return {
        device: slice.device,
        piece: slice.piece + at,
        ranges: box.map((range, dim) => drawnRange(movedBy(range, start[dim] ?? 0))),
        localShape: box.map((range) => range.stop - range.start),
        state: isUnknown
          ? "unknown"
          : state.replace(/\bcopy(?= \d)/u, unverified === undefined ? "copy" : "own"),
      };
    });
  });
}

/** A range shifted by `by`, the tensor's first index. */
export function movedBy({ start, stop }: Range, by: number): Range {
  return { start: start + by, stop: stop + by };
}

/** The index of a device in the mesh's row-major order, from its coordinates. */
function indexIn({ axes }: DeviceMesh, coordinates: Slice["coordinates"]): number {
  return axes.reduce(
    (index, { name, size }) => index * size + (fieldOf(coordinates, name) ?? 0),
    0,
  );
}

/** A half-open range with the text for drawings and tables. */
export function drawnRange(range: Range): DrawnRange {
  const { start, stop } = range;
  if (stop <= start) return { start, stop, text: "none" };
  const last = stop - 1;
  return {
    start,
    stop,
    text: last === start ? signed(start) : `${signed(start)}…${signed(last)}`,
  };
}

function signed(index: number): string {
  return index < 0 ? `−${-index}` : `${index}`;
}

/** The ranges of a box along the given dims, for captions: `s 0…511, f 0…63`. */
export function boxText(
  box: Box,
  { dimNames, start = [] }: Pick<Tensor, "dimNames" | "start">,
  dims: readonly number[],
): string {
  return dims
    .flatMap((dim) => {
      const range = box[dim];
      if (range === undefined) return [];
      const { text } = drawnRange(movedBy(range, start[dim] ?? 0));
      return [`${dimNames[dim] ?? `d${dim}`} ${text}`];
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

/**
 * The number of a device along several parts combined, major first, and the count of such numbers.
 */
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
