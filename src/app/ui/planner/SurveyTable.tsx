import { type ReactNode, useState } from "react";
import type { PlanCost } from "#app/engine";
import { hueOf } from "#app/scene";
import { formatBytes, formatSeconds } from "#app/scene/text";
import { optimalityGap } from "#core/cost";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { orderOf, SortHead } from "../atoms/SortHead.tsx";
import { useApp } from "../store-context.tsx";
import { bestRows, type SortKey, type SurveyPoint } from "./survey-points.ts";

interface Props {
  readonly title: string;
  readonly points: readonly SurveyPoint[];
  readonly own: PlanCost | undefined;
  readonly lit: string | undefined;
  readonly onLight: (key: string | undefined) => void;
  readonly onApply: (point: SurveyPoint) => void;
}

const columns: readonly (readonly [key: SortKey, name: string])[] = [
  ["name", "Plan"],
  ["seconds", "Time"],
  ["bytes", "Memory"],
  ["gap", "Gap"],
];

const values: Readonly<Record<SortKey, (point: SurveyPoint) => number | string>> = {
  name: ({ name }) => name,
  seconds: ({ seconds }) => seconds,
  bytes: ({ bytes }) => bytes,
  gap: ({ planned }) => optimalityGap(planned),
};

/** Fastest plans of a survey; a press on a heading sorts by that column. */
export function SurveyTable({ title, points, own, lit, onLight, onApply }: Props) {
  const [sort, setSort] = useState<{ by: SortKey; isDescending: boolean }>({
    by: "seconds",
    isDescending: false,
  });
  if (points.length === 0) return null;
  const rows = bestRows(points, values[sort.by], sort.isDescending);
  const order = (by: SortKey) =>
    setSort({ by, isDescending: sort.by === by && !sort.isDescending });
  return (
    <table className="tbl planner-plans">
      <caption>
        {title}
        {points.length > rows.length && `, the fastest ${rows.length} of ${points.length}`}
      </caption>
      <thead>
        <tr>
          {columns.map(([key, name]) => (
            <SortHead
              key={key}
              name={name}
              order={orderOf(sort.by === key, sort.isDescending)}
              onPress={() => order(key)}
            />
          ))}
          <th scope="col">
            <span className="vh">Apply</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {own !== undefined && <OwnRow {...own} />}
        {rows.map((point) => (
          <PlanRow
            key={point.key}
            point={point}
            isLit={lit === point.key}
            {...{ onLight, onApply }}
          />
        ))}
      </tbody>
    </table>
  );
}

/** Row of the plan on screen, for comparison. */
function OwnRow({ seconds, bytes }: PlanCost) {
  return (
    <tr className="mut">
      <th scope="row">Your plan</th>
      <td className="n">{formatSeconds(seconds)}</td>
      <td className="n">{formatBytes(bytes)}</td>
      <td />
      <td />
    </tr>
  );
}

interface RowProps extends Pick<Props, "onLight" | "onApply"> {
  readonly point: SurveyPoint;
  readonly isLit: boolean;
}

function PlanRow({ point, isLit, onLight, onApply }: RowProps) {
  const source = useApp((state) => state.document.source);
  const { key, name, seconds, bytes, planned } = point;
  return (
    <tr
      className={isLit ? "lit" : undefined}
      data-testid="survey-row"
      onPointerEnter={() => onLight(key)}
      onPointerLeave={() => onLight(undefined)}
    >
      <th scope="row">
        <PlanName point={point} />
      </th>
      <td className="n">{formatSeconds(seconds)}</td>
      <td className="n">{formatBytes(bytes)}</td>
      <td className="n">{gapText(planned)}</td>
      <td className="n">
        {planned.source === source ? (
          "in the text"
        ) : (
          <button
            type="button"
            className="lk"
            aria-label={`Apply the plan: ${name}`}
            disabled={planned.source === undefined}
            onClick={() => onApply(point)}
          >
            Apply
          </button>
        )}
      </td>
    </tr>
  );
}

function gapText(planned: SurveyPoint["planned"]): string {
  const gap = optimalityGap(planned);
  if (gap === 0) return "proven";
  return planned.bound === 0 ? "not known" : `≤ ${(100 * gap).toPrecision(2)} %`;
}

function PlanName({ point: { kind, name, row } }: { readonly point: SurveyPoint }): ReactNode {
  if (kind === "limits") return name;
  return row.axes.map((axis) => (
    <span className="planner-axis" key={axis.name}>
      <AxisChip tag={{ text: axis.name, hue: hueOf({ axes: row.axes, devices: [] }, axis.name) }} />
      {axis.size}
    </span>
  ));
}
