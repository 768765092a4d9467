import type { CSSProperties } from "react";
import type { Frame } from "#app/scene/player";
import { holdSlider } from "../gesture/hold-pointer.ts";
import type { Travel } from "./use-travel.ts";

interface Props {
  readonly frame: Frame;
  readonly travel: Travel;
}

/** Moves the pieces of a frame along their ways by hand; absent where nothing moves. */
export function TravelSlider({ frame, travel: { share, scrub } }: Props) {
  if (frame.transfers.length === 0) return null;
  const percent = Math.round(100 * share);
  const done: CSSProperties & Record<"--done", string> = { "--done": `${percent}%` };
  return (
    <input
      className="scrub travel"
      type="range"
      min={0}
      max={100}
      value={percent}
      style={done}
      aria-label="How far the pieces have travelled"
      aria-valuetext={`${percent} % of the way`}
      title="Drag to move the pieces along their ways"
      onPointerDown={holdSlider}
      onChange={(event) => scrub(Number(event.currentTarget.value) / 100)}
    />
  );
}
