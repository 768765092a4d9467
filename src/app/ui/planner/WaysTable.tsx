import { useState } from "react";
import { formatBytes, formatBytesDelta, formatSeconds, formatSecondsDelta } from "#app/scene/text";
import type { SplitOptionsStatus } from "#app/state/planning";
import { TableHead } from "../atoms/TableHead.tsx";
import { useApp } from "../store-context.tsx";
import { useDesk } from "./use-desk.ts";
import { type WayRow, wayRows } from "./way-rows.ts";

/** Number of ways shown at first. */
const fewRows = 8;

/** Ways of an operator, fastest whole plan first; a press applies one. */
export function WaysTable({ status }: { readonly status: SplitOptionsStatus }) {
  const [isWhole, setWhole] = useState(false);
  const rows = wayRows(status);
  if (rows.length === 0) return null;
  const few = isWhole ? rows : rows.slice(0, fewRows);
  return (
    <>
      <table className="tbl planner-plans planner-ways">
        <caption>
          Ways to split <code>{status.operator}</code>, each with the best whole plan
        </caption>
        <TableHead names={["Split", "Time", "To the best", "Take"]} figuresFrom={1} hides="Take" />
        <tbody>
          {few.map((row) => (
            <Row key={row.way.text} row={row} status={status} />
          ))}
        </tbody>
      </table>
      {rows.length > few.length && (
        <button type="button" className="lk" onClick={() => setWhole(true)}>
          All {rows.length} ways
        </button>
      )}
    </>
  );
}

interface RowProps {
  readonly row: WayRow;
  readonly status: SplitOptionsStatus;
}

function Row({ row, status }: RowProps) {
  const { way, seconds } = row;
  return (
    <tr data-testid="way-row" data-seconds={seconds} data-decided={row.decided}>
      <th scope="row">
        {way.text}
        <small>{marksOf(row)}</small>
      </th>
      <td className="n">{seconds === undefined ? "no plan" : formatSeconds(seconds)}</td>
      <td className="n">
        <Difference row={row} />
      </td>
      <td className="n">
        <Take row={row} status={status} />
      </td>
    </tr>
  );
}

function marksOf({ way, isBest, bytes }: WayRow): string {
  const held = bytes === undefined ? [] : [`${formatBytes(bytes)} per device`];
  return [...(isBest ? ["best"] : []), ...(way.isNow ? ["as the text has it"] : []), ...held].join(
    ", ",
  );
}

/** Difference of a way from the best, with its largest term first. */
function Difference({ row: { way, seconds, more, isBest, decided } }: { readonly row: WayRow }) {
  const { answer } = way;
  if (more === undefined) {
    const least = answer.kind === "infeasible" ? answer.leastBytes : undefined;
    if (least !== undefined) return <small>memory: at least {formatBytes(least)}</small>;
    return <small>{answer.kind === "planned" ? "" : answer.message}</small>;
  }
  if (isBest) return <>—</>;
  const isEqual = Math.abs(more.seconds) < 1e-9 * (seconds ?? 0);
  if (isEqual && more.bytes === 0) return <>the same</>;
  const terms = [
    ["communication", more.communication, formatSecondsDelta(more.communication)],
    ["compute", more.compute, formatSecondsDelta(more.compute)],
    ["memory", more.bytes, formatBytesDelta(more.bytes)],
  ] as const;
  const ordered = terms
    .filter(([name, value]) => name === decided || value !== 0)
    .sort(([a], [b]) => Number(b === decided) - Number(a === decided));
  return (
    <>
      {formatSecondsDelta(more.seconds)}
      {ordered.map(([name, , figure]) => (
        <small key={name} className={name === decided ? "by" : undefined}>
          {name === decided ? `by ${name}` : name} {figure}
        </small>
      ))}
    </>
  );
}

/** Button that writes the best plan with the way into the text, as one entry of the log. */
function Take({ row: { way, isBest }, status }: RowProps) {
  const source = useApp((state) => state.document.source);
  const withDesk = useDesk();
  const { answer, text } = way;
  if (answer.kind !== "planned") return null;
  if (answer.source === source) return <>in the text</>;
  const { of, whatIf, operator } = status;
  const label = `Split ${operator}: ${text}`;
  const take = () => withDesk((desk) => desk.apply({ of, planned: answer, whatIf }, label));
  return (
    <button
      type="button"
      className="lk"
      aria-label={`Take ${text} for ${operator}`}
      title={
        isBest
          ? "Writes this plan into the text"
          : `Writes this plan and pin(${operator}) into the text`
      }
      disabled={answer.source === undefined}
      onClick={take}
    >
      Take
    </button>
  );
}
