import type { Rect } from "#app/scene";
import type { glyphOf } from "#app/scene/glyph";
import type { WrongDevices } from "#app/state/run";

/** Blocks with cells that the last run found wrong: filled, bordered and crossed out. */
export function WrongBlocks({ areas }: { readonly areas: readonly Rect[] }) {
  if (areas.length === 0) return null;
  return (
    <g className="glyph-wrong">
      {areas.map(({ x, y, width, height }) => (
        <path
          key={`${x} ${y}`}
          d={`M${x} ${y}h${width}v${height}h${-width}ZL${x + width} ${y + height}`}
        />
      ))}
    </g>
  );
}

/**
 * The areas of devices' blocks in the drawing of the whole tensor; all of it where blocks are not
 * drawn one by one.
 */
export function wrongAreas(
  { cells, width, height }: Pick<ReturnType<typeof glyphOf>, "cells" | "width" | "height">,
  wrong: WrongDevices | undefined,
): readonly Rect[] {
  if (wrong === undefined) return [];
  const areas = cells
    .filter(({ devices }) => devices.some((device) => wrong.has(device)))
    .flatMap((cell) => cell.areas);
  return areas.length > 0 ? areas : [{ x: 0, y: 0, width, height }];
}
