import type { DeviceTile } from "#app/scene";
import { keyed } from "./keyed.ts";
import { MarkView } from "./MarkView.tsx";

export interface DeviceGlyphProps {
  readonly tile: DeviceTile;
  readonly isLit?: boolean;
}

/** One device's tile: the ghost of the whole, its own parts filled, its id below. */
export function DeviceGlyph({ tile, isLit = false }: DeviceGlyphProps) {
  return (
    <svg
      className={isLit ? "glyph is-lit" : "glyph"}
      width={tile.width + 2}
      height={tile.height + 2}
      viewBox={`-1 -1 ${tile.width + 2} ${tile.height + 2}`}
      aria-hidden="true"
    >
      {keyed(tile.marks).map(({ key, item }) => (
        <MarkView key={key} mark={item} />
      ))}
    </svg>
  );
}
