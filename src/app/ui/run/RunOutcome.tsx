import { Check, CircleSlash, type LucideIcon, X } from "lucide-react";
import type { RunReport, WrongCell } from "#app/engine";
import { allSteps } from "#app/scene";
import { shown } from "#app/state";
import { faultSentence, type RunStatus } from "#app/state/run";
import type { TensorId } from "#core/ir";
import { Icon } from "../atoms/Icon.tsx";
import { goToPlace } from "../player/go-to-place.ts";
import { useApp, useAppStore } from "../store-context.tsx";
import { OutcomeButtons, type OutcomeProps } from "./OutcomeButtons.tsx";
import { RunProgressBar } from "./RunProgressBar.tsx";
import { stepNames } from "./step-names.ts";

interface Props {
  readonly run: RunStatus;
  /** Short form with a button that shows all of it. */
  readonly isBrief?: boolean;
  readonly focusOn?: (tensor: TensorId) => string;
}

/** Result of the last run of the text, or its progress. */
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
        <Report report={run.verdict} broken={run.fault} isBrief={isBrief} focusOn={focusOn} />
      );
  }
}

interface RefusedProps {
  readonly sentence: string;
  readonly fit: string | undefined;
}

/** Reason why nothing was run, with a button that runs it on smaller sizes. */
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

function Report({ report, isBrief, broken, focusOn }: OutcomeProps) {
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
      <OutcomeButtons {...{ report, isBrief, broken, focusOn }} />
      <Ran report={report} />
      <Notes notes={report.notes} />
    </div>
  );
}

/** Engine of the run, its numbers, and the counts of its commands. */
function Ran({
  report: { engine, computedIn, counts, wasLost, settings, given },
}: Pick<OutcomeProps, "report">) {
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

/** Step that computes the first wrong cell, with a link to it and to the numbers of all devices. */
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

/** Notes on how the run differs from the text, such as smaller sizes or an unknown body. */
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
