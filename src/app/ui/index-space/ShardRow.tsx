import { rangeText, type SpaceShard } from "#app/scene/index-space";
import type { Box } from "#core/indexspace";
import { keyed } from "../drawing/keyed.ts";

/** The most devices with a button; the drawing shows the cuts of all. */
const most = 64;

interface Props {
  readonly shards: readonly SpaceShard[];
  readonly window: Box;
  readonly onChoose: (window: Box) => void;
  readonly onHover: (window: Box | undefined) => void;
}

/** The part of each device: hovering outlines it, a press makes it the window. */
export function ShardRow({ shards, window, onChoose, onHover }: Props) {
  if (shards.length < 2) return null;
  const current = rangeText(window);
  return (
    <fieldset className="space-shards">
      <legend>Shards</legend>
      {keyed(shards.slice(0, most)).map(({ key, item: { device, box } }) => (
        <button
          type="button"
          key={key}
          className="btn line"
          aria-pressed={rangeText(box) === current}
          aria-label={`Shard of device ${device}, ${rangeText(box)}`}
          onPointerEnter={() => onHover(box)}
          onPointerLeave={() => onHover(undefined)}
          onFocus={() => onHover(box)}
          onBlur={() => onHover(undefined)}
          onClick={() => onChoose(box)}
        >
          {device}
        </button>
      ))}
      {shards.length > most && <span className="mut">… {shards.length - most} more</span>}
    </fieldset>
  );
}
