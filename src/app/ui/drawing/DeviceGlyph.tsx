import type { DeviceTile } from "#app/scene";
import { keyed } from "./keyed.ts";
import { MarkView } from "./MarkView.tsx";
import { WrongBlocks } from "./WrongBlocks.tsx";

export interface DeviceGlyphProps {
  readonly tile: DeviceTile;
  /** Whether the tile is outlined: its device is under the pointer, focused or pinned. */
  readonly isLit?: boolean;
  /** Whether the last run found wrong cells in the device's block. */
  readonly isWrong?: boolean;
}

const inset = 3;
const idHeight = 15;

/** One device's tile: the ghost of the whole, its own parts filled in place, its id below. */
export function DeviceGlyph({ tile, isLit = false, isWrong = false }: DeviceGlyphProps) {
  const idWidth = String(tile.device).length * 6.5;
  const width = Math.max(tile.width, idWidth) + 2 * inset;
  const height = tile.height + idHeight + 2 * inset;
  const left = (width - tile.width) / 2;
  return (
    <svg className="glyph" width={width} height={height} aria-hidden="true">
      <g transform={`translate(${left} ${inset})`}>
        {keyed(tile.marks).map(({ key, item }) => (
          <MarkView key={key} mark={item} />
        ))}
        {isWrong && <WrongBlocks areas={tile.areas} />}
      </g>
      <text className="glyph-tile-id" x={width / 2} y={height - inset - 2} textAnchor="middle">
        {tile.device}
      </text>
      {isLit && (
        <rect className="glyph-tile-lit" x="1" y="1" width={width - 2} height={height - 2} rx="2" />
      )}
    </svg>
  );
}
