import { formatSeconds } from "#app/scene/text";
import { drawn } from "#app/state";
import {
  type BesideMeasured,
  besideMeasured,
  type MeasuredSteps,
  modelledSteps,
} from "#systems/published";
import { useApp } from "../store-context.tsx";

/** A measured step beside the schedule of the plan on screen. */
export function MeasuredTables({ measured }: { readonly measured: MeasuredSteps }) {
  const compiled = useApp(drawn);
  if (compiled?.schedule === undefined) return null;
  const beside = besideMeasured(measured, modelledSteps(compiled.program, compiled.schedule));
  return (
    <section className="beside" aria-label="Measured beside modelled" data-testid="measured-beside">
      <Steps beside={beside} />
      {beside.collectives.length > 0 && <Collectives beside={beside} />}
    </section>
  );
}

function Steps({
  beside: { rows, seconds, modelledSeconds },
}: {
  readonly beside: BesideMeasured;
}) {
  return (
    <table>
      <caption>Measured beside modelled, of a step</caption>
      <thead>
        <tr>
          <th scope="col">Work</th>
          <th scope="col">Run</th>
          <th scope="col">Times</th>
          <th scope="col">This plan</th>
          <th scope="col">Times</th>
          <th scope="col">Difference</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th scope="row">the whole step</th>
          <td>{formatSeconds(seconds)}</td>
          <td>1</td>
          <td>{formatSeconds(modelledSeconds)}</td>
          <td>1</td>
          <td />
        </tr>
        {rows.map(({ name, measured, modelled, difference = "" }) => (
          <tr key={name} data-different={difference !== ""}>
            <th scope="row">{name}</th>
            <td>{formatSeconds(measured.seconds)}</td>
            <td>{timesOf(measured.count)}</td>
            <td>{formatSeconds(modelled.seconds)}</td>
            <td>{timesOf(modelled.count)}</td>
            <td>{difference}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function timesOf(count: number): string {
  return count.toLocaleString("en", { maximumFractionDigits: 1 });
}

/** Equal collectives of a step are one row, so what a row says tells it apart. */
function keyOf({ kind, dtype, shape, groupSize }: BesideMeasured["collectives"][number]): string {
  return `${kind} ${dtype} ${shape.join("x")} ${groupSize}`;
}

/** Rows that the table draws; the rest is counted. */
const mostRows = 200;

function Collectives({ beside: { collectives, onlyOurs } }: { readonly beside: BesideMeasured }) {
  const rest = collectives.length - mostRows;
  return (
    <table>
      <caption>Collectives one by one{rest > 0 && `, without the last ${rest}`}</caption>
      <thead>
        <tr>
          <th scope="col">Collective</th>
          <th scope="col">Bytes</th>
          <th scope="col">This plan</th>
        </tr>
      </thead>
      <tbody>
        {collectives.slice(0, mostRows).map((row) => (
          <tr key={keyOf(row)} data-different={row.difference !== undefined}>
            <th scope="row">{row.kind}</th>
            <td>{`${row.bytes.toLocaleString("en")}${row.times === 1 ? "" : ` × ${row.times}`}`}</td>
            <td>{row.difference ?? [...new Set(row.ours)].join(", ")}</td>
          </tr>
        ))}
        {onlyOurs.slice(0, mostRows).map((name) => (
          <tr key={name} data-different={true}>
            <th scope="row">none</th>
            <td />
            <td>only in this plan: {name}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
