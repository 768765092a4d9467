import { useMemo, useRef, useState } from "react";
import { lessonOf, scoreOf, worldOf } from "#app/lessons";
import { stepFigures } from "#app/scene/figures";
import { projectionSpaceOf } from "#app/scene/index-space";
import { formatBytes, formatSeconds, formatShare } from "#app/scene/text";
import { type Timeline, timelineOf } from "#app/scene/timeline";
import type { Compiled } from "#compile";
import { IndexPlane } from "../index-space/IndexPlane.tsx";
import { plotOf } from "../timeline/paint-timeline.ts";
import { TimelineCanvas } from "../timeline/TimelineCanvas.tsx";
import { useWidth } from "../use-width.ts";

interface Props {
  readonly compiled: Compiled;
}

/** One step in time: computation, the communication beside it, and the memory below. */
export function TimeOf({ compiled }: Props) {
  const { timeline } = timelineOf(compiled);
  return timeline && <Lanes compiled={compiled} timeline={timeline} />;
}

const height = 150;

function Lanes({ compiled, timeline }: Props & { readonly timeline: Timeline }) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box, 320);
  const { lanes, seconds, peak } = timeline;
  const plot = useMemo(() => plotOf(lanes.length, true, { width, height }), [lanes, width]);
  const stretch = useMemo(() => ({ from: 0, to: seconds }), [seconds]);
  const said = stepFigures(compiled).flatMap(({ name, text }) =>
    /communication|utilisation/u.test(name) ? [`${name} ${text}.`] : [],
  );
  const most = peak === undefined ? "" : ` ${formatBytes(peak[1])} of memory at the peak.`;
  return (
    <>
      <div ref={box}>
        <TimelineCanvas
          {...{ timeline, plot, stretch }}
          cursor={undefined}
          limit={compiled.hardware.memoryBytes}
        />
      </div>
      <p className="mut">
        One step of {formatSeconds(seconds)}. {said.join(" ")}
        {most}
      </p>
    </>
  );
}

/** The gap between the best known plan of a challenge and the lower bound of all plans. */
export function BoundOf({ compiled, lesson: id }: Props & { readonly lesson: string }) {
  const lesson = lessonOf(id);
  const at = lesson?.steps.findIndex(({ act }) => act?.score !== undefined) ?? -1;
  const act = lesson?.steps[at]?.act;
  if (lesson === undefined || act === undefined) return null;
  const world = worldOf(lesson, at, new Map([[act.solution, compiled]]), { compiled });
  const score = world && scoreOf(act, world);
  if (score === undefined) return null;
  const bars = [
    ["Best plan known", score.yours],
    ["Bound", score.bound],
  ] as const;
  const gap = score.yours / score.bound - 1;
  return (
    <>
      <dl className="words-bars">
        {bars.map(([name, seconds]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <i style={{ width: `${(100 * seconds) / score.yours}%` }} />
              {formatSeconds(seconds)}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mut">
        {lesson.title}:{" "}
        {score.isProven
          ? "both meet, so the plan is proven the best."
          : `a gap of ${formatShare(gap)} in which a better plan may lie.`}
      </p>
    </>
  );
}

/** The index space of an operator, with a window that can be moved. */
export function IndexOf({ compiled, name }: Props & { readonly name: string }) {
  const operator = compiled.program.graph.operators.find((each) => each.name === name);
  const space = useMemo(
    () => operator && projectionSpaceOf(compiled, operator.id),
    [compiled, operator],
  );
  const [window, setWindow] = useState(space?.shards[0]?.box ?? []);
  const [hovered, setHovered] = useState<typeof window>();
  if (space === undefined) return null;
  return (
    <>
      <IndexPlane {...{ space, window, hovered }} onWindow={setWindow} onHover={setHovered} />
      <p className="mut">{space.call}. The window begins as the part that device 0 computes.</p>
    </>
  );
}
