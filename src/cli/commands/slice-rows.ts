import { type Layout, slicesOf } from "#core/mesh";
import type { Value } from "#core/program";

/** One slice as printed. */
export interface SliceRow {
  readonly device: number;
  readonly coordinates: Readonly<Record<string, number>>;
  readonly ranges: readonly (readonly [number, number])[];
  readonly partial: boolean;
}

/** A layout, and the boxes held on devices if they are not the layout's own blocks. */
interface Lie {
  readonly layout: Layout;
  readonly held?: Value["held"];
}

/**
 * Rows of a layout that fits the shape, by device, then by piece.
 *
 * @param origin start of the tensor, if not 0: ranges are in the text's coordinates
 */
export function sliceRows(
  { layout, held }: Lie,
  shape: readonly number[],
  origin: readonly number[] = [],
): readonly SliceRow[] {
  const places = held && new Map(layout.mesh.devices.map((device, index) => [device, index]));
  return slicesOf(layout, shape).flatMap(({ device, coordinates, ranges, partial, piece }) => {
    const own = held?.[places?.get(device) ?? -1];
    const boxes = own === undefined ? [ranges] : piece === 0 ? own : [];
    return boxes.map((box) => ({
      device,
      coordinates,
      ranges: box.map(({ start, stop }, dim) => {
        const first = origin[dim] ?? 0;
        return [first + start, first + stop] as const;
      }),
      partial,
    }));
  });
}
