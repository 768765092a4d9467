import { type KeyboardEvent, useDeferredValue, useMemo, useRef } from "react";
import { formatBytes, formatSeconds } from "#app/scene/text";
import {
  momentSentence,
  momentWords,
  type Timeline,
  timelineAt,
  timelineOf,
} from "#app/scene/timeline";
import type { Compiled } from "#compile";
import { useWidth } from "../use-width.ts";
import { plotOf } from "./paint-timeline.ts";
import { Readout } from "./Readout.tsx";
import { TimelineCanvas } from "./TimelineCanvas.tsx";
import { TimelineKey } from "./TimelineKey.tsx";
import { TimelineTable } from "./TimelineTable.tsx";
import { useFingers } from "./use-fingers.ts";
import { useReading } from "./use-reading.ts";
import { useWheel } from "./use-stretch.ts";
import { ZoomButtons } from "./ZoomButtons.tsx";
import "../styles/timeline.css";

interface Props {
  readonly compiled: Compiled;
  readonly height: number;
}

/** One step of the plan in time, or the reason why there is none. */
export function StepTimeline({ compiled, height }: Props) {
  const { timeline } = useMemo(() => timelineOf(compiled), [compiled]);
  if (timeline === undefined) return <p className="empty-player">{whyNone(compiled)}</p>;
  return <Drawing compiled={compiled} timeline={timeline} height={height} />;
}

function whyNone({ schedule, graph }: Compiled): string {
  if (graph.operators.length === 0) return "No operators yet, so nothing takes time.";
  if (schedule === undefined) return "Under a cost model steps are priced, but not put in time.";
  return "When each step runs is not known: a shape of the program is not.";
}

function Drawing({ compiled, timeline, height }: Props & { readonly timeline: Timeline }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 600);
  const plot = useMemo(
    () => plotOf(timeline.lanes.length, timeline.memory.length > 0, { width, height }),
    [timeline, width, height],
  );
  const read = useReading(compiled, timeline, plot);
  const { stretched, cursor, own } = read;
  useWheel(box, read);
  const fingers = useFingers({
    ...read,
    press: (x, isTouch) => {
      box.current?.focus({ preventScroll: true });
      read.press(x, isTouch);
    },
  });
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !read.key(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // The tables are for screen readers, so they may come after the drawing.
  const listed = useDeferredValue(stretched.stretch);
  const words = momentWords(useMemo(() => timelineAt(timeline, cursor), [timeline, cursor]));
  return (
    <figure className="timeline" data-testid="timeline" data-at={cursor}>
      <div className="timeline-top">
        <TimelineKey timeline={timeline} compiled={compiled} />
        <ZoomButtons stretched={stretched} at={own} />
      </div>
      <div
        ref={box}
        className="plot"
        role="slider"
        tabIndex={0}
        aria-label="One step in time"
        aria-valuemin={0}
        aria-valuemax={timeline.seconds}
        aria-valuenow={cursor}
        aria-valuetext={momentSentence(words)}
        aria-describedby="timeline-keys"
        style={{ height }}
        onKeyDown={onKey}
        {...fingers}
      >
        <TimelineCanvas
          timeline={timeline}
          plot={plot}
          stretch={stretched.stretch}
          cursor={read.isPlaced ? cursor : undefined}
          limit={compiled.hardware.memoryBytes}
        />
      </div>
      <Readout words={words} isPeak={cursor === timeline.peak?.[0]} onOpen={read.open} />
      <Keys timeline={timeline} />
      <TimelineTable timeline={timeline} stretch={listed} />
    </figure>
  );
}

function Keys({ timeline: { seconds, peak } }: { readonly timeline: Timeline }) {
  return (
    <p className="vh" id="timeline-keys">
      Arrow keys go from one operator to the next, plus and minus zoom, 0 shows the whole step,
      Enter selects what runs. {formatSeconds(seconds)} in all
      {peak !== undefined && `, ${formatBytes(peak[1])} at the peak`}.
    </p>
  );
}
