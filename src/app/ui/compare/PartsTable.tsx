import {
  type ComparedPart,
  type CostPart,
  comparedParts,
  costParts,
  formatBytes,
  formatBytesDelta,
  formatSeconds,
  formatSecondsDelta,
  type Metric,
} from "#app/scene";
import type { Compiled } from "#app/state";
import { useApp } from "../store-context.tsx";

/** Rows that are written; the rest are counted. */
const most = 200;

interface Props {
  readonly compiled: Compiled;
  readonly metric: Metric;
}

/** What a number is made of; against a baseline, what changed most comes first. */
export function PartsTable({ compiled, metric }: Props) {
  const baseline = useApp((state) => state.baseline);
  const parts =
    baseline === undefined
      ? costParts(compiled, metric)
      : comparedParts(baseline.compiled, compiled, metric);
  const rest = parts.length - most;
  if (parts.length === 0) return <p className="mut">{nothing[metric]}</p>;
  return (
    <>
      <table className="tbl parts" data-testid={`parts-${metric}`}>
        <thead>
          <tr>
            <th scope="col">{heads[metric]}</th>
            {baseline !== undefined && (
              <th scope="col" className="n">
                baseline
              </th>
            )}
            <th scope="col" className="n">
              {baseline === undefined ? unitOf(metric) : "now"}
            </th>
            {baseline !== undefined && (
              <th scope="col" className="n">
                Δ
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {parts.slice(0, most).map((part) => (
            <PartRow key={part.key} part={part} metric={metric} />
          ))}
        </tbody>
      </table>
      {rest > 0 && <p className="mut">and {rest} smaller ones</p>}
    </>
  );
}

function PartRow({
  part,
  metric,
}: {
  readonly part: CostPart | ComparedPart;
  readonly metric: Metric;
}) {
  const light = useApp((state) => state.lightPart);
  const seek = useApp((state) => state.seek);
  const { key: _, name, value, ...place } = part;
  const { tensor, operator, redistribution } = place;
  const isHere = tensor ?? operator ?? redistribution;
  const where = {
    ...(tensor !== undefined && { tensor }),
    ...(operator !== undefined && { operator }),
    ...(redistribution !== undefined && { redistribution }),
  };
  return (
    <tr
      className={isHere === undefined ? "mut" : undefined}
      onPointerEnter={() => light(where)}
      onPointerLeave={() => light(undefined)}
      onFocus={() => light(where)}
      onBlur={() => light(undefined)}
    >
      <td title={name}>
        {isHere === undefined ? (
          name
        ) : (
          <button type="button" className="part" onClick={() => seek(where)}>
            {name}
          </button>
        )}
      </td>
      {"before" in part && <td className="n">{amount(metric, part.before)}</td>}
      <td className="n">{amount(metric, value)}</td>
      {"before" in part && <td className="n">{change(metric, value - part.before)}</td>}
    </tr>
  );
}

const heads: Readonly<Record<Metric, string>> = {
  memory: "alive when most is",
  comm: "sent",
  time: "computed and sent",
};

const nothing: Readonly<Record<Metric, string>> = {
  memory: "No device holds anything.",
  comm: "No device sends anything.",
  time: "Nothing takes time.",
};

function unitOf(metric: Metric): string {
  return metric === "time" ? "time, model" : "per device";
}

function amount(metric: Metric, value: number): string {
  return metric === "time" ? formatSeconds(value) : formatBytes(value);
}

function change(metric: Metric, value: number): string {
  return metric === "time" ? formatSecondsDelta(value) : formatBytesDelta(value);
}
