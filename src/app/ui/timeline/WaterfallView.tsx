import { useMemo } from "react";
import { type ModuleMetric, type Waterfall, waterfallOf } from "#app/scene/figures";
import {
  formatBytes,
  formatBytesDelta,
  formatSeconds,
  formatSecondsDelta,
  type Metric,
} from "#app/scene/text";
import type { Compiled } from "#compile";
import { useApp } from "../store-context.tsx";
import "../styles/timeline.css";

interface Props {
  readonly compiled: Compiled;
  readonly metric: Metric;
}

/**
 * From the baseline to this plan: increases and savings, the largest first; absent without a
 * baseline.
 */
export function WaterfallView({ compiled, metric }: Props) {
  const baseline = useApp((state) => state.baseline);
  const of: ModuleMetric = metric === "comm" ? "bytes" : metric;
  const fall = useMemo(
    () => (baseline === undefined ? undefined : waterfallOf(baseline.compiled, compiled, of)),
    [baseline, compiled, of],
  );
  if (baseline === undefined) return null;
  if (fall === undefined) {
    return (
      <p className="mut">The change is unknown: one of the plans has a tensor of unknown shape.</p>
    );
  }
  if (fall.steps.length === 0) return <p className="mut">No item of it changes.</p>;
  return <Falls fall={fall} of={of} name={baseline.name} />;
}

interface FallsProps {
  readonly fall: Waterfall;
  readonly of: ModuleMetric;
  /** The name of the baseline. */
  readonly name: string;
}

function Falls({ fall, of, name }: FallsProps) {
  const { before, after, steps } = fall;
  const most = Math.max(before, after, ...steps.map(({ to }) => to));
  const least = Math.min(0, ...steps.map(({ to }) => to));
  const share = (value: number) => (100 * (value - least)) / (most - least);
  const text = of === "time" ? formatSeconds : formatBytes;
  const delta = of === "time" ? formatSecondsDelta : formatBytesDelta;
  return (
    <table
      className="tbl waterfall"
      data-testid="waterfall"
      data-before={before}
      data-after={after}
    >
      <caption className="vh">From {name} to this plan, by what changes</caption>
      <tbody>
        <tr>
          <th scope="row">{name}</th>
          <Bar from={0} to={share(before)} kind="whole" />
          <td className="n">{text(before)}</td>
        </tr>
        {steps.map(({ key, name: item, from, to }) => (
          <tr key={key} data-from={from} data-to={to}>
            <th scope="row" title={item}>
              {item}
            </th>
            <Bar from={share(from)} to={share(to)} kind={to > from ? "more" : "less"} />
            <td className="n">{delta(to - from)}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">this plan</th>
          <Bar from={0} to={share(after)} kind="whole" />
          <td className="n">{text(after)}</td>
        </tr>
      </tbody>
    </table>
  );
}

interface BarProps {
  readonly from: number;
  readonly to: number;
  readonly kind: "whole" | "more" | "less";
}

function Bar({ from, to, kind }: BarProps) {
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  return (
    <td className="fall" aria-hidden="true">
      <i className={kind} style={{ left: `${left}%`, width: `${right - left}%` }} />
    </td>
  );
}
