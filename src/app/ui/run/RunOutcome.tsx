import { Check, CircleSlash, type LucideIcon, X } from "lucide-react";
import { flushSync } from "react-dom";
import {
  faultNames,
  type RunFault,
  type RunReport,
  type WholeCost,
  type WrongCell,
} from "#app/engine";
import { allSteps } from "#app/scene";
import { shown } from "#app/state";
import { faultSentence, type RunStatus } from "#app/state/run";
import type { TensorId } from "#core/ir";
import { Icon } from "../atoms/Icon.tsx";
import { goToPlace } from "../player/go-to-place.ts";
import { useApp, useAppStore } from "../store-context.tsx";
import { RunProgressBar } from "./RunProgressBar.tsx";
import { stepNames } from "./step-names.ts";
import { mostWholeBytes, wholeText } from "./whole-text.ts";

interface Props {
  readonly run: RunStatus;
  /** Whether the result is shortened, with a button that shows all of it. */
  readonly isBrief?: boolean;
  readonly focusOn?: (tensor: TensorId) => string;
}

/** The result of the text's last run, or its progress. */
export function RunOutcome({ run, isBrief = false, focusOn }: Props) {
  switch (run.kind) {
    case "none":
      return isBrief ? null : (
        <p className="run-idle mut">
          Nothing has run. A run computes the program whole and on every device, here in the
          browser, and compares every cell.
        </p>
      );
    case "running":
      return (
        <div className="run-box" data-testid="run-verdict" data-verdict="running">
          <RunProgressBar progress={run.progress} />
        </div>
      );
    case "failed":
      return (
        <div className="run-box" data-testid="run-verdict" data-verdict="failed">
          <Line icon={CircleSlash} className="bad" text={faultSentence(run.message)} />
        </div>
      );
    case "done":
      return run.verdict.kind === "refused" ? (
        <Refused sentence={run.verdict.sentence} fit={run.verdict.fit} />
      ) : (
        <Report
          report={run.verdict}
          broken={run.fault}
          isBrief={isBrief}
          {...(focusOn !== undefined && { focusOn })}
        />
      );
  }
}

interface RefusedProps {
  readonly sentence: string;
  readonly fit: string | undefined;
}

/** The reason why nothing was run, and the sizes on which it could be, one press away. */
function Refused({ sentence, fit }: RefusedProps) {
  const setRun = useApp((state) => state.setRun);
  const startRun = useApp((state) => state.startRun);
  const shrink = () => {
    setRun({ sizes: "fit" });
    void startRun();
  };
  return (
    <div className="run-box" data-testid="run-verdict" data-verdict="refused">
      <Line icon={CircleSlash} className="" text={sentence} />
      {fit !== undefined && (
        <>
          <p className="mut">These sizes fit, and the plan cuts them in the same way: {fit}.</p>
          <button type="button" className="btn line" data-testid="run-fit" onClick={shrink}>
            Run on those
          </button>
        </>
      )}
    </div>
  );
}

const looks: Readonly<
  Record<RunReport["kind"], { readonly icon: LucideIcon; readonly className: string }>
> = {
  equal: { icon: Check, className: "good" },
  different: { icon: X, className: "bad" },
};

interface ReportProps extends Pick<Props, "focusOn"> {
  readonly report: RunReport;
  readonly isBrief: boolean;
  /** The fault that was put in on purpose. */
  readonly broken: RunFault | undefined;
}

function Report({ report, isBrief, broken, focusOn }: ReportProps) {
  const { engine, counts, cell } = report;
  return (
    <div
      className="run-box"
      data-testid="run-verdict"
      data-verdict={report.kind}
      data-engine={engine.name}
      data-dispatches={counts?.dispatches ?? 0}
    >
      <Line {...looks[report.kind]} text={report.sentence} />
      {cell !== undefined && <Break cell={cell} />}
      <div className="run-buttons">
        {report.whole !== undefined && <WholeButton whole={report.whole} />}
        {report.instead !== undefined && <InsteadButton fault={report.instead} broken={broken} />}
        {broken !== undefined && <PutBackButton />}
        {cell !== undefined && <ShowCell cell={cell} {...(focusOn !== undefined && { focusOn })} />}
        {isBrief && <DetailsButton />}
      </div>
      <Ran report={report} />
      <Notes notes={report.notes} />
    </div>
  );
}

/** The engine of the run, its number type, and the counts of its commands. */
function Ran({
  report: { engine, computedIn, counts, wasLost, settings, given },
}: Pick<ReportProps, "report">) {
  const numbers = settings.values === "floats" ? "floats" : "small integers";
  return (
    <>
      <p>
        <span className="tag">{engine.name === "webgpu" ? "GPU" : "CPU"}</span>{" "}
        {engine.name === "webgpu"
          ? `${engine.adapter}, by WebGPU.`
          : `Run on the CPU${engine.why === undefined ? "" : `: ${engine.why}`}.`}{" "}
        {computedIn}{" "}
        <span className="mut">
          {numbers}, seed {settings.seed}
          {given.length > 0 && `, ${given.join(", ")} as given`}
          {counts !== undefined && `, ${counts.dispatches} dispatches, ${counts.copies} copies`}
        </span>
      </p>
      {wasLost && (
        <p data-testid="run-lost">
          The GPU was lost during the run. It began again on a new device; all figures are those of
          the second time.
        </p>
      )}
    </>
  );
}

/** Runs the program with all layers and sizes of the text, and tells the cost of that. */
function WholeButton({ whole }: { readonly whole: WholeCost }) {
  const setRun = useApp((state) => state.setRun);
  const startRun = useApp((state) => state.startRun);
  const cost = wholeText(whole);
  const start = () => {
    setRun({ sizes: "own" });
    void startRun();
  };
  return (
    <>
      <button
        type="button"
        className="btn line"
        data-testid="run-whole"
        disabled={whole.bytes > mostWholeBytes}
        aria-describedby="run-whole-cost"
        onClick={start}
      >
        Run it as it is
      </button>
      <span className="mut" id="run-whole-cost">
        {cost}
      </span>
    </>
  );
}

interface InsteadProps {
  readonly fault: NonNullable<RunReport["instead"]>;
  /** The fault that was put in and did not show. */
  readonly broken: RunFault | undefined;
}

/** Puts in a fault that shows, in place of one that does not. */
function InsteadButton({ fault, broken }: InsteadProps) {
  const startRun = useApp((state) => state.startRun);
  const isThere = broken !== undefined && broken.how !== "cut" && broken.step === fault.step;
  return (
    <button
      type="button"
      className="btn line"
      data-testid="run-instead"
      onClick={() => void startRun(fault)}
    >
      {faultNames[fault.how]} {isThere ? "" : `in step ${fault.step + 1} `}instead
    </button>
  );
}

/** Runs the plan again without the fault. */
function PutBackButton() {
  const startRun = useApp((state) => state.startRun);
  return (
    <button
      type="button"
      className="btn line"
      data-testid="run-put-back"
      onClick={() => void startRun()}
    >
      Put it back
    </button>
  );
}

/**
 * The step that computes the first wrong cell, with a link to it and its numbers on all devices.
 */
function Break({ cell }: { readonly cell: WrongCell }) {
  const store = useAppStore();
  const compiled = useApp(shown);
  const { step: place } = cell;
  const step = compiled && place !== undefined ? allSteps(compiled.program)[place] : undefined;
  if (compiled === undefined || place === undefined || step === undefined) {
    return <p data-testid="run-break">It is wrong from the start, before any step.</p>;
  }
  const go = () => {
    const state = store.getState();
    goToPlace(state, compiled, place, "last");
    state.showValues(true);
    state.showSheet("steps");
  };
  return (
    <p data-testid="run-break" data-step={place}>
      First wrong in step {place + 1},{" "}
      <button type="button" className="lk" onClick={go}>
        {stepNames(compiled)(step)}
      </button>
      .
    </p>
  );
}

/** Opens the details: every tensor, device and step of the run. */
function DetailsButton() {
  const showRun = useApp((state) => state.showRun);
  return (
    <button type="button" className="btn line" onClick={() => showRun(true)}>
      Details
    </button>
  );
}

interface LineProps {
  readonly icon: LucideIcon;
  readonly className: string;
  readonly text: string;
}

function Line({ icon: Shape, className, text }: LineProps) {
  return (
    <p className={`run-line ${className}`}>
      <Icon icon={Shape} size={14} />
      <span>{text}</span>
    </p>
  );
}

interface ShowCellProps extends Pick<Props, "focusOn"> {
  readonly cell: WrongCell;
}

/** Selects the tensor and the device of the cell that is wrong. */
function ShowCell({ cell, focusOn }: ShowCellProps) {
  const showOn = useApp((state) => state.showOn);
  const showRun = useApp((state) => state.showRun);
  const show = () => {
    flushSync(() => {
      showOn(cell.tensor, cell.device);
      showRun(false);
    });
    if (focusOn !== undefined) document.getElementById(focusOn(cell.tensor))?.focus();
  };
  return (
    <button type="button" className="btn line" onClick={show}>
      Show {cell.name} on device {cell.device}
    </button>
  );
}

/** Differences of the run from the text: smaller sizes, an unknown body. */
function Notes({ notes }: Pick<RunReport, "notes">) {
  if (notes.length === 0) return null;
  return (
    <details className="run-notes">
      <summary>How it was run</summary>
      {[...new Set(notes.map(({ message }) => message))].map((message) => (
        <p key={message}>{message}.</p>
      ))}
    </details>
  );
}
