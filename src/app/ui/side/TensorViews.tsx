import { type KeyboardEvent, memo, useMemo, useState } from "react";
import type { DeviceTile } from "#app/scene";
import {
  type DrawnTensor,
  deviceGlyphsOf,
  type Halos,
  type Orientation,
  orientationText,
} from "#app/scene/glyph";
import { type WrongDevices, wrongDevices } from "#app/state/run";
import type { Tensor } from "#core/ir";
import type { DeviceId, Layout } from "#core/mesh";
import { DeviceGlyph } from "../drawing/DeviceGlyph.tsx";
import { Glyph } from "../drawing/Glyph.tsx";
import { useDrawnTensor } from "../drawing/use-drawn-tensor.ts";
import { WrongBlocks } from "../drawing/WrongBlocks.tsx";
import { useApp } from "../store-context.tsx";
import { wrongSentence } from "../words.ts";

/** The most devices with a tile; the table and the mesh show the rest. */
const drawnTiles = 16;

/** The sign of wrong blocks, beside the words about them. */
const swatch = [{ x: 1, y: 1, width: 12, height: 12 }];

const wholeSize = { width: 148, height: 112 };
/** The size of a tile: the fewer the devices, the larger. */
function tileSize(devices: number) {
  if (devices <= 4) return { width: 62, height: 33 };
  return devices <= 8 ? { width: 28, height: 28 } : { width: 28, height: 24 };
}

/** The width of a row of tiles, the space around a tile's drawing, and the gap between tiles. */
const rowWidth = 172;
const around = 6;
const gap = 4;

/** Rows of equal length, so that devices of one group stand below each other. */
function columnsOf(tiles: readonly DeviceTile[]): number {
  const widest = Math.max(26, ...tiles.map((tile) => tile.width + around));
  const most = Math.max(1, Math.floor((rowWidth + gap) / (widest + gap)));
  return Math.ceil(tiles.length / Math.ceil(tiles.length / most));
}

/** One tensor drawn twice: the whole with its cuts, and the part of each device. */
export const TensorViews = memo(function TensorViews({
  tensor,
  layout,
  orientation,
  unverified,
  halos,
}: {
  readonly tensor: Tensor;
  readonly layout: Layout;
  readonly orientation: Orientation;
  readonly unverified: string | undefined;
  readonly halos: Halos | undefined;
}) {
  const lit = useApp((state) => state.hoveredDevice ?? state.pinnedDevice);
  const wrong = useApp(wrongDevices).get(tensor.id);
  const drawn = useDrawnTensor({ tensor, layout, orientation, unverified, halos });
  const sides = orientationText(orientation, layout, tensor.dimNames);
  return (
    <div className="views">
      <div>
        <h3>Whole view</h3>
        <Glyph
          tensor={drawn}
          size={wholeSize}
          options={{ showIds: true }}
          wrong={wrong}
          {...(lit !== undefined && { lit })}
        />
      </div>
      <div>
        <h3>Device view</h3>
        <Tiles tensor={drawn} count={layout.mesh.devices.length} wrong={wrong} />
      </div>
      {wrong !== undefined && (
        <p className="views-wrong" data-testid="views-wrong">
          <svg width="14" height="14" aria-hidden="true">
            <WrongBlocks areas={swatch} />
          </svg>
          {wrongSentence(wrong)}
        </p>
      )}
      {sides !== "" && <p className="mut sides">Both draw {sides}.</p>}
    </div>
  );
});

interface TilesProps {
  readonly tensor: DrawnTensor;
  readonly count: number;
  readonly wrong: WrongDevices | undefined;
}

function Tiles({ tensor, count, wrong }: TilesProps) {
  const lit = useApp((state) => state.hoveredDevice ?? state.pinnedDevice);
  const pinned = useApp((state) => state.pinnedDevice);
  const compared = useApp((state) => state.comparedDevice);
  const pin = useApp((state) => state.pinDevice);
  const hover = useApp((state) => state.hoverDevice);
  const [focused, stopAt] = useState<DeviceId>();
  const tiles = useMemo(
    () =>
      deviceGlyphsOf(tensor, tileSize(count), tensor.layout.mesh.devices.slice(0, drawnTiles))
        .tiles,
    [tensor, count],
  );
  const isDrawn = (device: DeviceId | undefined) => tiles.some((tile) => tile.device === device);
  const stop = [focused, pinned].find(isDrawn) ?? tiles[0]?.device;
  return (
    <fieldset
      className="tiles"
      aria-label="Devices of the device view"
      onKeyDown={moveOn}
      style={{ gridTemplateColumns: `repeat(${columnsOf(tiles)}, max-content)` }}
    >
      {tiles.map((tile) => (
        <button
          type="button"
          key={tile.device}
          className={`tile ${[lit, compared].includes(tile.device) ? "on" : ""}`}
          tabIndex={tile.device === stop ? 0 : -1}
          onFocus={() => stopAt(tile.device)}
          aria-pressed={pinned === tile.device || compared === tile.device}
          aria-label={`Device ${tile.device}${wrong?.has(tile.device) ? ", wrong in the last run" : ""}`}
          onPointerEnter={() => hover(tile.device)}
          onPointerLeave={() => hover(undefined)}
          onClick={() => pin(tile.device)}
        >
          <DeviceGlyph
            tile={tile}
            isLit={lit === tile.device || compared === tile.device}
            isWrong={wrong?.has(tile.device) === true}
          />
        </button>
      ))}
      {count > drawnTiles && <span className="mut more">… {count - drawnTiles} more</span>}
    </fieldset>
  );
}

/** One Tab stop: arrows move to the device beside, Home and End to the first and last. */
function moveOn(event: KeyboardEvent<HTMLElement>): void {
  const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>(".tile")];
  const at = tiles.indexOf(event.target as HTMLElement);
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const end = { Home: 0, End: tiles.length - 1 }[event.key];
  const next = tiles[step === undefined ? (end ?? -1) : at + step];
  if (next === undefined || at < 0) return;
  event.preventDefault();
  next.focus();
}
