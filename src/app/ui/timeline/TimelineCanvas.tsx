import { useEffect, useMemo, useRef } from "react";
import type { Timeline, TimeRange } from "#app/scene/timeline";
import { useResolvedTheme } from "../theme.ts";
import { paintTimeline, type TimelinePlot } from "./paint-timeline.ts";

interface Props {
  readonly timeline: Timeline;
  readonly plot: TimelinePlot;
  readonly stretch: TimeRange;
  readonly cursor: number | undefined;
  readonly limit: number;
}

/** Canvas of the timeline, at the resolution of the screen. */
export function TimelineCanvas({ timeline, plot, stretch, cursor, limit }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const colours = useColours();
  // An effect, since the theme attribute must be set before the colours are read.
  useEffect(() => {
    const { current } = canvas;
    const pen = current?.getContext("2d");
    if (current === null || pen === null || pen === undefined) return;
    const scale = window.devicePixelRatio;
    const [width, height] = [Math.round(plot.width * scale), Math.round(plot.height * scale)];
    // Setting a canvas' size clears it even if unchanged, which takes longer than drawing over it.
    if (current.width !== width) current.width = width;
    if (current.height !== height) current.height = height;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const style = getComputedStyle(current);
    const colour = (token: string) => {
      const found = colours.known.get(token) ?? style.getPropertyValue(token).trim();
      colours.known.set(token, found);
      return found;
    };
    paintTimeline(pen, { timeline, plot, stretch, cursor, limit }, colour);
  }, [timeline, plot, stretch, cursor, limit, colours]);
  return (
    <div className="canvas" aria-hidden="true">
      <canvas ref={canvas} style={{ width: plot.width, height: plot.height }} />
    </div>
  );
}

/** Cache of the theme's colours, filled as they are read. */
function useColours() {
  const theme = useResolvedTheme();
  return useMemo(() => ({ theme, known: new Map<string, string>() }), [theme]);
}
