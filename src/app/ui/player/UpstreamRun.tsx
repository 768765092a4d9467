import { Fragment, type ReactNode, useMemo } from "react";
import { formatBytes, formatSeconds } from "#app/scene/text";
import {
  type EdgeRow,
  type OperatorRow,
  type SystemChoices,
  type SystemRow,
  type SystemRun,
  type SystemTotals,
  sameAsOurs,
  type WrongStep,
} from "#compile";
import { TableHead } from "../atoms/TableHead.tsx";
import { keyed } from "../drawing/keyed.ts";
import { Asked } from "../lesson/asked.tsx";
import { useScreen } from "../screen.ts";
import { useApp } from "../store-context.tsx";
import { PolicyLists } from "./PolicyLists.tsx";
import { WrongStepLine } from "./WrongStepLine.tsx";

/** Whole program as its own system would run it, line by line beside Shardboard's program. */
export function UpstreamRun() {
  const status = useApp((state) => state.upstreamRun);
  if (status.kind === "failed") {
    return <p className="empty-player">This program could not be run as its system would.</p>;
  }
  const run = status.kind === "none" ? undefined : status.run;
  return run === undefined ? <p className="empty-player" /> : <SystemSteps run={run} />;
}

function SystemSteps({ run }: { readonly run: SystemRun }) {
  const name = run.title;
  const wrong = useMemo(() => wrongByRow(run), [run]);
  // A phone has room for half of the table's columns.
  const isNarrow = useScreen() === "phone";
  return (
    <div className="upstream-run" data-testid="upstream-run" data-system={run.system}>
      <table className="tbl">
        <thead>
          <Pair
            isNarrow={isNarrow}
            theirs={<Heads first={`As ${name} would run it`} />}
            ours={isNarrow ? undefined : <Heads first="Ours" className="sys-own" />}
          />
        </thead>
        <tbody>
          {keyed(run.rows).map(({ key, item }, at) => (
            <Fragment key={key}>
              <Line row={item} run={run} isNarrow={isNarrow} />
              {wrong.get(at)?.map((step) => (
                <WrongStepLine
                  key={`${step.code} ${step.subject}`}
                  step={step}
                  title={name}
                  columns={columnsOf(isNarrow)}
                />
              ))}
            </Fragment>
          ))}
        </tbody>
        <tfoot>
          <TotalsLine run={run} isNarrow={isNarrow} />
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

/** Wrongly computed steps, by the index of the row that they belong to. */
function wrongByRow({ rows, wrong }: SystemRun): ReadonlyMap<number, readonly WrongStep[]> {
  const found = new Map<number, readonly WrongStep[]>();
  for (const step of wrong) {
    const sent = rows.findIndex((row) => row.kind === "edge" && row.tensor === step.tensor);
    const made = rows.findIndex((row) => row.name === step.name);
    const at = sent >= 0 ? sent : made >= 0 ? made : rows.length - 1;
    found.set(at, [...(found.get(at) ?? []), step]);
  }
  return found;
}

/**
 * Cuts that the system's own search would choose where the text leaves them open, beside the drawn
 * ones.
 */
function Choices({ choices }: { readonly choices: SystemChoices }) {
  return (
    <section className="sys-choices" aria-label={`What ${choices.mode} would choose`}>
      <table className="tbl" data-testid="system-choices">
        <TableHead names={["Left open by the text", `${choices.mode} would choose`, "Ours"]} />
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

interface PairProps {
  readonly isNarrow: boolean;
  readonly theirs: ReactNode;
  readonly ours: ReactNode;
  readonly className?: string;
  readonly testId?: string;
}

/** System's cells and Shardboard's: side by side, or in two rows on narrow screens. */
function Pair({ isNarrow, theirs, ours, className, testId }: PairProps) {
  return (
    <>
      <tr className={className} data-testid={testId}>
        {theirs}
        {!isNarrow && ours}
      </tr>
      {isNarrow && ours !== undefined && <tr className={className}>{ours}</tr>}
    </>
  );
}

function Heads({ first, className }: { readonly first: string; readonly className?: string }) {
  return (
    <>
      <th scope="col" className={className}>
        {first}
      </th>
      <th scope="col" className="n">
        per device
      </th>
      <th scope="col" className="n">
        time
      </th>
    </>
  );
}

/** Totals of both programs: steps that send, bytes and seconds. */
function TotalsLine({ run, isNarrow }: Omit<LineProps<SystemRow>, "row">) {
  return (
    <Pair
      isNarrow={isNarrow}
      theirs={
        <>
          <th scope="row">
            {isNarrow && `${run.title}: `}
            {stepsText(run.theirs)}
          </th>
          <Figures {...run.theirs} testId="system-total" />
        </>
      }
      ours={
        <>
          <th scope="row" className="sys-own">
            {isNarrow && "Ours: "}
            {stepsText(run.ours)}
          </th>
          <Figures {...run.ours} testId="own-total" />
        </>
      }
    />
  );
}

function stepsText({ steps }: SystemTotals): string {
  return steps === 1 ? "1 step that sends" : `${steps} steps that send`;
}

interface LineProps<Row> {
  readonly row: Row;
  readonly run: SystemRun;
  readonly isNarrow: boolean;
}

function Line({ row, ...rest }: LineProps<SystemRow>) {
  return row.kind === "operator" ? (
    <OperatorLine row={row} isNarrow={rest.isNarrow} />
  ) : (
    <EdgeLine row={row} {...rest} />
  );
}

/** Number of columns: name, bytes and seconds, once on narrow screens, else twice. */
function columnsOf(isNarrow: boolean): number {
  return isNarrow ? 3 : 6;
}

function OperatorLine({ row, isNarrow }: Omit<LineProps<OperatorRow>, "run">) {
  return (
    <tr className="sys-op">
      <td colSpan={columnsOf(isNarrow)}>
        <Times count={row.count} />
        <b>{row.name}</b> = {row.op} <span className="mono mut">{row.slices}</span>
        {row.unverified !== undefined && <span className="tag">as given: {row.unverified}</span>}
        {row.phase !== "forward" && <span className="tag">{row.phase}</span>}
      </td>
    </tr>
  );
}

function EdgeLine({ row, run, isNarrow }: LineProps<EdgeRow>) {
  const columns = columnsOf(isNarrow);
  const { theirs } = row;
  const isSame = theirs.kind === "planned" && theirs.why === sameAsOurs;
  return (
    <>
      <Pair
        isNarrow={isNarrow}
        className={row.isAside ? "sys-edge mut" : "sys-edge"}
        testId="system-edge"
        theirs={<TheirSteps row={row} run={run} />}
        ours={<OwnSteps row={row} isNarrow={isNarrow} />}
      />
      {!isSame && (
        <tr className="sys-why mut">
          <td colSpan={columns}>{theirs.kind === "planned" ? theirs.why : theirs.reason}</td>
        </tr>
      )}
      {theirs.kind === "planned" && <PolicyLists outcome={theirs} columns={columns} changedOnly />}
    </>
  );
}

function TheirSteps({ row, run }: Omit<LineProps<EdgeRow>, "isNarrow">) {
  const select = useApp((state) => state.select);
  const { theirs, redistribution, tensor } = row;
  return (
    <>
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
        <span className="mut">{run.reasonWords[row.reason]}</span>
      </td>
      {theirs.kind === "planned" ? <Figures {...theirs} /> : <td colSpan={2} />}
    </>
  );
}

function OwnSteps({ row: { ours, isAside }, isNarrow }: Omit<LineProps<EdgeRow>, "run">) {
  const words = ours.steps.map(({ collective }) => collective).join(", ");
  return (
    <>
      <td className="sys-own">
        {isNarrow && <span className="mut">Ours: </span>}
        {isAside ? "not in this program" : words || "nothing"}
      </td>
      <Figures {...ours} />
    </>
  );
}

function Times({ count }: { readonly count: number }) {
  return count === 1 ? null : <span className="tag">{count} times</span>;
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
        <Asked of="comm">{formatBytes(bytes)}</Asked>
      </td>
      <td className="n">{formatSeconds(seconds)}</td>
    </>
  );
}
