import { memo, useMemo } from "react";
import { formatSeconds } from "#app/scene/text";
import {
  laneTotals,
  onLane,
  spanAt,
  type Timeline,
  type TimeRange,
  timeRangeText,
} from "#app/scene/timeline";
import { TableHead } from "../atoms/TableHead.tsx";

interface Props {
  readonly timeline: Timeline;
  readonly stretch: TimeRange;
}

/** Most rows of the second table; the rest are counted. */
const most = 100;

/** Tables behind the drawing: the total of each lane, and the items in the visible stretch. */
export const TimelineTable = memo(function TimelineTable({ timeline, stretch }: Props) {
  const totals = useMemo(() => laneTotals(timeline), [timeline]);
  const { rows, rest } = useMemo(() => rowsIn(timeline, stretch), [timeline, stretch]);
  return (
    <div className="vh" data-testid="timeline-table">
      <table>
        <caption>The lanes of one step</caption>
        <TableHead names={["lane", "what", "how many", "time"]} />
        <tbody>
          {totals.map(({ lane, paint, seconds, spans }) => (
            <tr key={`${lane} ${paint}`} data-lane={lane} data-paint={paint} data-seconds={seconds}>
              <th scope="row">{lane}</th>
              <td>{paint}</td>
              <td>{spans}</td>
              <td>{formatSeconds(seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <table>
        <caption>{timeRangeText(stretch)}</caption>
        <TableHead names={["lane", "what", "begins", "time"]} />
        <tbody>
          {rows.map(({ key, lane, name, start, seconds }) => (
            <tr key={key}>
              <th scope="row">{lane}</th>
              <td>{name}</td>
              <td>{formatSeconds(start)}</td>
              <td>{formatSeconds(seconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest > 0 && <p>and {rest} more: a closer look lists them</p>}
    </div>
  );
});

function rowsIn(timeline: Timeline, { from, to }: TimeRange) {
  const { lanes, items } = timeline;
  const rows: { key: string; lane: string; name: string; start: number; seconds: number }[] = [];
  let rest = 0;
  const each = Math.floor(most / Math.max(1, lanes.length));
  for (const lane of lanes) {
    const { starts, ends, name } = lane;
    const running = spanAt(lane, from);
    const first = running >= 0 ? running : firstBehind(starts, from);
    const last = firstBehind(starts, to);
    for (let at = first; at < Math.min(last, first + each); at += 1) {
      const start = starts[at] ?? 0;
      const item = items[lane.items[at] ?? -1]?.name ?? "";
      const isWaiting = onLane(timeline, lane, at)?.paint === "exposed";
      rows.push({
        ...{ key: `${name} ${at}`, lane: name, start, seconds: (ends[at] ?? 0) - start },
        name: isWaiting ? `waits for ${item}` : item,
      });
    }
    rest += Math.max(0, last - first - each);
  }
  return { rows, rest };
}

function firstBehind(starts: Float64Array, moment: number): number {
  let [low, high] = [0, starts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}
