import { useMemo } from "react";
import type { DeviceTile, Size } from "#app/scene";
import { type DrawnTensor, deviceGlyphsOf } from "#app/scene/glyph";
import type { AppState } from "#app/state";
import type { WrongDevices } from "#app/state/run";
import type { DeviceId } from "#core/mesh";
import { Glyph } from "../drawing/Glyph.tsx";
import { keyed } from "../drawing/keyed.ts";
import { MarkView } from "../drawing/MarkView.tsx";
import { WrongBlocks } from "../drawing/WrongBlocks.tsx";
import { useShared } from "../store-context.tsx";
import { GlyphPicture } from "./GlyphPicture.tsx";

/** Most devices for a tile per device; with more, the tensor is drawn as a whole. */
const mostTiles = 16;
const gap = 3;

/**
 * Most devices of a tensor whose blocks are drawn as shapes; with more, the tensor is one bitmap.
 */
const mostShapes = 16;

interface Props {
  readonly tensor: DrawnTensor;
  readonly size: Size;
  /** Devices whose blocks were wrong in the last run. */
  readonly wrong: WrongDevices | undefined;
}

interface LitProps extends Props {
  readonly lit: DeviceId | undefined;
}

const litDevice = ({ hoveredDevice, pinnedDevice }: AppState) => hoveredDevice ?? pinnedDevice;
const drawsWhole = ({ tensorDrawing }: AppState) => tensorDrawing === "whole";

/** Tensor on the canvas: as a whole, or one tile per device. */
export function TensorDrawing({ tensor, size, wrong }: Props) {
  const lit = useShared(litDevice);
  const isWhole = useShared(drawsWhole);
  const count = tensor.layout.mesh.devices.length;
  const isWholeDrawn = isWhole || count > mostTiles;
  if (isWholeDrawn && count > mostShapes) {
    return <GlyphPicture tensor={tensor} size={size} lit={lit} wrong={wrong} />;
  }
  if (isWholeDrawn) {
    return <Glyph tensor={tensor} size={size} wrong={wrong} {...(lit !== undefined && { lit })} />;
  }
  return <Tiles tensor={tensor} size={size} lit={lit} wrong={wrong} />;
}

function Tiles({ tensor, size, lit, wrong }: LitProps) {
  const { tiles, columns, cell } = useMemo(() => arranged(tensor, size), [tensor, size]);
  return (
    <svg className="glyph" width={size.width} height={size.height} aria-hidden="true">
      {tiles.map((tile, at) => (
        <g
          key={tile.device}
          transform={`translate(${(at % columns) * (cell.width + gap)} ${Math.floor(at / columns) * (cell.height + gap)})`}
          opacity={lit === undefined || lit === tile.device ? 1 : 0.35}
        >
          {keyed(tile.marks).map(({ key, item }) => (
            <MarkView key={key} mark={item} />
          ))}
          {wrong?.has(tile.device) && <WrongBlocks areas={tile.areas} />}
        </g>
      ))}
    </svg>
  );
}

/** Tiles in about as many columns as rows, with the number of columns and the size of a tile. */
function arranged(
  tensor: DrawnTensor,
  room: Size,
): { readonly tiles: readonly DeviceTile[]; readonly columns: number; readonly cell: Size } {
  const count = tensor.layout.mesh.devices.length;
  const columns = Math.ceil(Math.sqrt(count));
  const rows = Math.ceil(count / columns);
  const size = {
    width: Math.floor((room.width - gap * (columns - 1)) / columns),
    height: Math.floor((room.height - gap * (rows - 1)) / rows),
  };
  const { tile, tiles } = deviceGlyphsOf(tensor, size);
  return { tiles, columns, cell: tile };
}
