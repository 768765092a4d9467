import { memo, useMemo } from "react";
import { formatSeconds } from "#app/scene/text";
import { laneTotals, type SpanPaint, type Timeline } from "#app/scene/timeline";
import type { Compiled } from "#compile";
import { tokenOf } from "./paint-timeline.ts";

interface Props {
  readonly timeline: Timeline;
  readonly compiled: Compiled;
}

const words: Readonly<Partial<Record<SpanPaint, string>>> = {
  ...{ forward: "forward", recompute: "computed anew", backward: "backward", update: "update" },
  ...{ several: "several axes", host: "host", exposed: "exposed" },
};

/** The meaning of each colour, with its total time; an axis has its own hue. */
export const TimelineKey = memo(function TimelineKey({ timeline, compiled }: Props) {
  const totals = useMemo(() => byPaint(timeline), [timeline]);
  const { axes } = compiled.mesh.mesh;
  const nameOf = (paint: SpanPaint) => {
    const axis = /^axis-(\d)$/.exec(paint)?.[1];
    return axis === undefined ? words[paint] : axes[Number(axis) - 1]?.name;
  };
  return (
    <ul className="timeline-key" aria-label="What the colours are">
      {totals.map(([paint, seconds]) => (
        <li key={paint}>
          <i className={`swatch of-${paint}`} style={swatch(paint)} aria-hidden="true" />
          {nameOf(paint) ?? paint} <b>{formatSeconds(seconds)}</b>
        </li>
      ))}
    </ul>
  );
});

/** The fills that the style sheet draws by a pattern. */
const patterned: ReadonlySet<SpanPaint> = new Set(["exposed", "recompute", "several"]);

function swatch(paint: SpanPaint) {
  return patterned.has(paint) ? undefined : { background: `var(${tokenOf(paint)})` };
}

function byPaint(timeline: Timeline): readonly (readonly [SpanPaint, number])[] {
  const sums = new Map<SpanPaint, number>();
  for (const { paint, seconds } of laneTotals(timeline)) {
    sums.set(paint, (sums.get(paint) ?? 0) + seconds);
  }
  return [...sums];
}
