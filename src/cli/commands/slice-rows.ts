import { type Layout, slicesOf } from "#core/mesh";

/** One slice as it leaves. */
export interface SliceRow {
  readonly device: number;
  readonly coordinates: Readonly<Record<string, number>>;
  readonly ranges: readonly (readonly [number, number])[];
  readonly partial: boolean;
}

/** The rows of a layout that fits the shape, by device, then by piece. */
export function sliceRows(layout: Layout, shape: readonly number[]): readonly SliceRow[] {
  return slicesOf(layout, shape).map(({ device, coordinates, ranges, partial }) => ({
    device,
    coordinates,
    ranges: ranges.map(({ start, stop }) => [start, stop] as const),
    partial,
  }));
}
