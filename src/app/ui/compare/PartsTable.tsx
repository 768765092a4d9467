import { useMemo, useState } from "react";
import {
  type ComparedPart,
  type CostPart,
  comparedParts,
  costParts,
  formatBytes,
  formatBytesDelta,
  formatSeconds,
  formatSecondsDelta,
  formulasOf,
  type Metric,
} from "#app/scene/text";
import type { Baseline } from "#app/state";
import type { Compiled } from "#compile";
import { TableHead } from "../atoms/TableHead.tsx";
import { keyed } from "../drawing/keyed.ts";
import { KernelSource } from "../evidence/KernelSource.tsx";
import { FigureButton } from "../formula/FigureButton.tsx";
import { PartFormulas } from "../formula/FormulaView.tsx";
import { useScreen } from "../screen.ts";
import { useApp } from "../store-context.tsx";
import { letterOf } from "./letters.ts";

/** Limit of rows in the table; further rows are only counted. */
const most = 200;

interface Props {
  readonly compiled: Compiled;
  readonly metric: Metric;
}

/** Table of the parts of a metric; with a baseline, the largest change comes first. */
export function PartsTable({ compiled, metric }: Props) {
  const baselines = useApp((state) => state.baselines);
  const baseline = useApp((state) => state.baseline);
  const isNarrow = useScreen() === "phone";
  const against = baseline === undefined ? 0 : baselines.indexOf(baseline);
  const parts = useMemo(
    () => tableRows(compiled, baselines, metric, against),
    [compiled, baselines, metric, against],
  );
  const rest = parts.length - most;
  const figures =
    baselines.length === 0
      ? [unitOf(metric)]
      : [...baselines.map((_, at) => letterOf(at)), "now", `Δ ${letterOf(against)}`];
  if (parts.length === 0) return <p className="mut">{nothing[metric]}</p>;
  return (
    <>
      <table className="tbl parts" data-testid={`parts-${metric}`}>
        <TableHead names={[heads[metric], ...figures]} figuresFrom={1} />
        <tbody>
          {parts.slice(0, most).map((part) => (
            <PartRow
              key={part.key}
              compiled={compiled}
              part={part}
              metric={metric}
              isNarrow={isNarrow}
            />
          ))}
        </tbody>
      </table>
      {rest > 0 && <p className="mut">and {rest} smaller ones</p>}
    </>
  );
}

function tableRows(
  compiled: Compiled,
  baselines: readonly Baseline[],
  metric: Metric,
  against: number,
): readonly (CostPart | ComparedPart)[] {
  if (baselines.length === 0) return costParts(compiled, metric);
  const others = baselines.map((each) => each.compiled);
  return comparedParts(others, compiled, metric, Math.max(0, against));
}

function PartRow({
  compiled,
  part,
  metric,
  isNarrow,
}: Props & {
  readonly part: CostPart | ComparedPart;
  /** Whether the name gets a row of its own, since several figures leave it no room. */
  readonly isNarrow: boolean;
}) {
  const light = useApp((state) => state.lightPart);
  const seek = useApp((state) => state.seek);
  const [isOpen, setOpen] = useState(false);
  const { name } = part;
  const where = placeOf(part);
  const figures = (
    <PartFigures part={part} metric={metric} isOpen={isOpen} onPress={() => setOpen(!isOpen)} />
  );
  const isApart = isNarrow && "others" in part;
  return (
    <>
      <tr
        className={where === undefined ? "mut" : undefined}
        onPointerEnter={() => light(where ?? {})}
        onPointerLeave={() => light(undefined)}
        onFocus={() => light(where ?? {})}
        onBlur={() => light(undefined)}
      >
        <td title={name} colSpan={isApart ? part.others.length + 3 : undefined}>
          {where === undefined ? (
            name
          ) : (
            <button type="button" className="part" onClick={() => seek(where)}>
              {name}
            </button>
          )}
        </td>
        {!isApart && figures}
      </tr>
      {isApart && (
        <tr>
          <td />
          {figures}
        </tr>
      )}
      {isOpen && (
        <tr className="opened">
          <td colSpan={"others" in part ? part.others.length + 3 : 2}>
            <PartFormulas
              parts={formulasOf(compiled, part, metric)}
              unit={metric === "time" ? "s" : "B"}
            />
            {metric === "time" && <KernelSource compiled={compiled} part={part} />}
          </td>
        </tr>
      )}
    </>
  );
}

/** The tensor, operator or redistribution of a part, if it has one. */
function placeOf({ tensor, operator, redistribution }: CostPart | ComparedPart) {
  if ((tensor ?? operator ?? redistribution) === undefined) return undefined;
  return {
    ...(tensor !== undefined && { tensor }),
    ...(operator !== undefined && { operator }),
    ...(redistribution !== undefined && { redistribution }),
  };
}

interface PartFiguresProps extends Pick<Props, "metric"> {
  readonly part: CostPart | ComparedPart;
  readonly isOpen: boolean;
  readonly onPress: () => void;
}

/** Cells with a part's figures: those of the compared plans, its own, and the change. */
function PartFigures({ part, metric, isOpen, onPress }: PartFiguresProps) {
  const { name, value } = part;
  return (
    <>
      {"others" in part &&
        keyed(part.others).map(({ key: at, item }) => (
          <td className="n" key={at}>
            {amount(metric, item)}
          </td>
        ))}
      <td className="n">
        {value === 0 ? (
          amount(metric, value)
        ) : (
          <FigureButton
            of={`${amount(metric, value)} of ${name}`}
            isOpen={isOpen}
            onPress={onPress}
          >
            {amount(metric, value)}
          </FigureButton>
        )}
      </td>
      {"others" in part && <td className="n">{change(metric, part.change)}</td>}
    </>
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
