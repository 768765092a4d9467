import { Check, CircleSlash, type LucideIcon, X } from "lucide-react";
import { flushSync } from "react-dom";
import { faultSentence, type RunStatus, type RunVerdict, runSentence } from "#app/state";
import type { TensorId } from "#core/ir";
import { Sign } from "../atoms/Sign.tsx";
import { useApp } from "../store-context.tsx";
import { useIsSlow } from "./use-is-slow.ts";

interface Props {
  /** Only a run without a collective of this redistribution, or only one that leaves none out. */
  readonly of?: number | "whole";
  /** Where the focus goes when a cell is shown and this panel gives way. */
  readonly focusOn?: (tensor: TensorId) => string;
}

/** What the last run says of the text, or how far it is. */
export function CheckResult({ of, focusOn }: Props) {
  const run = useApp((state) => state.run);
  if (run.kind === "none" || !isWanted(run, of)) return null;
  switch (run.kind) {
    case "running":
      return <Progress run={run} />;
    case "failed":
      return (
        <div className="check" data-testid="run-result" data-verdict="failed">
          <Line icon={CircleSlash} className="bad" text={faultSentence(run.message)} />
        </div>
      );
    case "done":
      return <Verdict run={run} {...(focusOn !== undefined && { focusOn })} />;
  }
}

type Asked = Exclude<RunStatus, { kind: "none" }>;

function isWanted({ without }: Asked, of: Props["of"]): boolean {
  if (of === undefined) return true;
  return of === "whole" ? without === undefined : without?.redistribution === of;
}

const stages = ["reading", "reference", "devices", "comparison"] as const;

const stageNames = {
  reading: "reading the program",
  reference: "computing it unsharded",
  devices: "running every device",
  comparison: "comparing every cell",
} as const;

function Progress({ run }: { readonly run: Extract<RunStatus, { kind: "running" }> }) {
  const isSlow = useIsSlow(true);
  const at = stages.indexOf(run.stage);
  const words = `${at + 1} of ${stages.length}: ${stageNames[run.stage]}`;
  return (
    <div className="check" data-testid="run-result" data-verdict="running">
      <p className="mut">Checking{isSlow ? `, ${words}` : ""}</p>
      {isSlow && (
        <div
          className="bar"
          role="progressbar"
          aria-label="Check"
          aria-valuemin={0}
          aria-valuemax={stages.length}
          aria-valuenow={at}
          aria-valuetext={words}
        >
          <i className="f-ink" style={{ width: `${(100 * at) / stages.length}%` }} />
        </div>
      )}
    </div>
  );
}

interface VerdictProps extends Pick<Props, "focusOn"> {
  readonly run: Extract<RunStatus, { kind: "done" }>;
}

function Verdict({ run, focusOn }: VerdictProps) {
  const { verdict, without } = run;
  return (
    <div className="check" data-testid="run-result" data-verdict={verdict.kind}>
      <Line {...looks[verdict.kind]} text={runSentence(verdict, without?.collective)} />
      {verdict.kind === "different" && (
        <ShowCell cell={verdict.cell} {...(focusOn !== undefined && { focusOn })} />
      )}
      {verdict.kind !== "refused" && <Notes notes={verdict.notes} />}
    </div>
  );
}

const looks: Readonly<
  Record<RunVerdict["kind"], { readonly icon: LucideIcon; readonly className: string }>
> = {
  equal: { icon: Check, className: "good" },
  different: { icon: X, className: "bad" },
  refused: { icon: CircleSlash, className: "" },
};

interface LineProps {
  readonly icon: LucideIcon;
  readonly className: string;
  readonly text: string;
}

function Line({ icon: Icon, className, text }: LineProps) {
  return (
    <p className={className}>
      <Sign icon={Icon} size={14} />
      <span>{text}</span>
    </p>
  );
}

interface ShowCellProps extends Pick<Props, "focusOn"> {
  readonly cell: Extract<RunVerdict, { kind: "different" }>["cell"];
}

/** Selects the tensor and the device of the cell that is wrong. */
function ShowCell({ cell, focusOn }: ShowCellProps) {
  const showOn = useApp((state) => state.showOn);
  const show = () => {
    flushSync(() => showOn(cell.tensor, cell.device));
    if (focusOn !== undefined) document.getElementById(focusOn(cell.tensor))?.focus();
  };
  return (
    <button type="button" className="btn line" onClick={show}>
      Show {cell.name} on device {cell.device}
    </button>
  );
}

/** What the run did differently from the text: smaller sizes, a body that is not known. */
function Notes({ notes }: Pick<Extract<RunVerdict, { kind: "equal" }>, "notes">) {
  if (notes.length === 0) return null;
  const isReduced = notes.some(({ code }) => code === "execute/reduced-sizes");
  return (
    <details>
      <summary>{isReduced ? "Run on smaller sizes that are cut alike" : "How it was run"}</summary>
      {[...new Set(notes.map(({ message }) => message))].map((message) => (
        <p key={message}>{message}.</p>
      ))}
    </details>
  );
}
