import { formatBytes, formatSeconds } from "#app/scene";
import {
  type EdgeRow,
  type OperatorRow,
  type SystemChoices,
  type SystemRow,
  type SystemRun,
  type SystemTotals,
  sameAsOurs,
} from "#app/state";
import { keyed } from "../drawing/keyed.ts";
import { useApp } from "../store-context.tsx";
import { PolicyLists } from "./PolicyLists.tsx";
import { reasonWord, systemNames } from "./system-words.ts";

/** The whole program as its own system would run it, line by line beside ours. */
export function AsSystem() {
  const status = useApp((state) => state.asSystem);
  if (status.kind === "failed") {
    return <p className="empty-player">This program could not be run as its system would.</p>;
  }
  const run = status.kind === "none" ? undefined : status.run;
  return run === undefined ? <p className="empty-player" /> : <SystemSteps run={run} />;
}

function SystemSteps({ run }: { readonly run: SystemRun }) {
  const name = systemNames[run.system];
  return (
    <div className="as-system" data-testid="as-system" data-system={run.system}>
      <table className="tbl">
        <thead>
          <tr>
            <th scope="col">As {name} would run it</th>
            <th scope="col" className="n">
              per device
            </th>
            <th scope="col" className="n sys-time">
              time
            </th>
            <th scope="col" className="sys-own">
              Ours
            </th>
            <th scope="col" className="n">
              per device
            </th>
            <th scope="col" className="n sys-time">
              time
            </th>
          </tr>
        </thead>
        <tbody>
          {keyed(run.rows).map(({ key, item }) => (
            <Line key={key} row={item} run={run} />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{stepsText(run.theirs)}</th>
            <Figures {...run.theirs} testId="system-total" />
            <th scope="row" className="sys-own">
              {stepsText(run.ours)}
            </th>
            <Figures {...run.ours} testId="own-total" />
          </tr>
        </tfoot>
      </table>
      {run.choices !== undefined && <Choices choices={run.choices} />}
      {run.declined > 0 && (
        <p>
          {run.declined} of these edges {name} has no plan for: they are not in its sum.
        </p>
      )}
      {run.notes.map((note) => (
        <p key={note} className="mut">
          {note}
        </p>
      ))}
    </div>
  );
}

/** What MindSpore's search would cut where the text leaves it open, beside what is drawn. */
function Choices({ choices }: { readonly choices: SystemChoices }) {
  return (
    <section className="sys-choices" aria-label={`What ${choices.mode} would choose`}>
      <table className="tbl" data-testid="system-choices">
        <thead>
          <tr>
            <th scope="col">Left open by the text</th>
            <th scope="col">{choices.mode} would choose</th>
            <th scope="col">Ours</th>
          </tr>
        </thead>
        <tbody>
          {choices.chosen.map(({ name, op, theirs, ours }) => (
            <tr key={name}>
              <td>
                <b>{name}</b> = {op}
              </td>
              <td className="mono">{theirs}</td>
              <td>{ours}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mut">{choices.how}</p>
    </section>
  );
}

function stepsText({ steps }: SystemTotals): string {
  return steps === 1 ? "1 step that sends" : `${steps} steps that send`;
}

function Line({ row, run }: { readonly row: SystemRow; readonly run: SystemRun }) {
  return row.kind === "operator" ? <OperatorLine row={row} /> : <EdgeLine row={row} run={run} />;
}

function OperatorLine({ row }: { readonly row: OperatorRow }) {
  return (
    <tr className="sys-op">
      <td colSpan={6}>
        <Times count={row.count} />
        <b>{row.name}</b> = {row.op} <span className="mono mut">{row.slices}</span>
        {row.asGiven !== undefined && <span className="tag">as given: {row.asGiven}</span>}
        {row.phase !== "forward" && <span className="tag">{row.phase}</span>}
      </td>
    </tr>
  );
}

function EdgeLine({ row, run }: { readonly row: EdgeRow; readonly run: SystemRun }) {
  const select = useApp((state) => state.select);
  const { theirs, ours, redistribution, tensor } = row;
  const isSame = theirs.kind === "planned" && theirs.why === sameAsOurs;
  return (
    <>
      <tr className={row.isAside ? "sys-edge mut" : "sys-edge"} data-testid="system-edge">
        <td>
          <Times count={row.count} />
          {theirs.kind === "planned"
            ? theirs.steps.map(({ words }) => words).join(", ") || "nothing"
            : "no plan"}{" "}
          <button
            type="button"
            className="lk mono"
            onClick={() =>
              select({ tensor, ...(redistribution !== undefined && { redistribution }) })
            }
          >
            {row.name}
          </button>{" "}
          <span className="mut">{reasonWord(row.reason, run.system)}</span>
        </td>
        {theirs.kind === "planned" ? <Figures {...theirs} /> : <td colSpan={2} />}
        <td className="sys-own">
          {row.isAside
            ? "not in this program"
            : ours.steps.map(({ collective }) => collective).join(", ") || "nothing"}
        </td>
        <Figures {...ours} />
      </tr>
      {!isSame && (
        <tr className="sys-why mut">
          <td colSpan={6}>{theirs.kind === "planned" ? theirs.why : theirs.reason}</td>
        </tr>
      )}
      {theirs.kind === "planned" && <PolicyLists outcome={theirs} columns={6} changedOnly />}
    </>
  );
}

function Times({ count }: { readonly count: number }) {
  return count === 1 ? null : <span className="tag">×{count}</span>;
}

interface FiguresProps {
  readonly bytes: number;
  readonly seconds: number;
  readonly testId?: string;
}

function Figures({ bytes, seconds, testId }: FiguresProps) {
  return (
    <>
      <td className="n" data-testid={testId} data-bytes={bytes}>
        {formatBytes(bytes)}
      </td>
      <td className="n sys-time">{formatSeconds(seconds)}</td>
    </>
  );
}
