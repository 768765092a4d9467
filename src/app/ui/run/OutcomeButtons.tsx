import { flushSync } from "react-dom";
import {
  faultNames,
  type RunFault,
  type RunReport,
  type WholeCost,
  type WrongCell,
} from "#app/engine";
import type { TensorId } from "#core/ir";
import { useApp } from "../store-context.tsx";
import { mostWholeBytes, wholeText } from "./whole-text.ts";

export interface OutcomeProps {
  readonly report: RunReport;
  /** Short form with a button that shows all of it. */
  readonly isBrief: boolean;
  /** Injected fault. */
  readonly broken: RunFault | undefined;
  /** Id of the element that gets the focus when a tensor is shown. */
  readonly focusOn?: ((tensor: TensorId) => string) | undefined;
}

/** Buttons below a run's result: other runs that make sense after it, and where it went wrong. */
export function OutcomeButtons({ report, isBrief, broken, focusOn }: OutcomeProps) {
  const { cell } = report;
  return (
    <div className="run-buttons">
      {report.whole !== undefined && <WholeButton whole={report.whole} />}
      {report.instead !== undefined && <InsteadButton fault={report.instead} broken={broken} />}
      {broken !== undefined && <PutBackButton />}
      {cell !== undefined && <ShowCell cell={cell} focusOn={focusOn} />}
      {isBrief && <DetailsButton />}
    </div>
  );
}

/** Button that runs the program with all layers and sizes of the text, with the estimated cost. */
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
  /** Injected fault, which had no visible effect. */
  readonly broken: RunFault | undefined;
}

/** Button that injects a fault with a visible effect instead. */
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

/** Button that runs the plan without the fault. */
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

/** Button that shows every tensor, device and step of the run. */
function DetailsButton() {
  const showRun = useApp((state) => state.showRun);
  return (
    <button type="button" className="btn line" onClick={() => showRun(true)}>
      Details
    </button>
  );
}

interface ShowCellProps extends Pick<OutcomeProps, "focusOn"> {
  readonly cell: WrongCell;
}

/** Button that selects the tensor and the device of the wrong cell. */
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
