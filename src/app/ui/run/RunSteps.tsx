import { useState } from "react";
import type { RunReport } from "#app/engine";
import { allSteps } from "#app/scene";
import { formatSeconds } from "#app/scene/text";
import type { Compiled } from "#compile";
import { sum } from "#core/arithmetic";
import type { FlatStep } from "#core/program";
import { TableHead } from "../atoms/TableHead.tsx";
import { stepNames } from "./step-names.ts";

interface Props {
  readonly compiled: Compiled;
  readonly report: RunReport;
}

/** The most steps that are written out; the others are counted. */
const most = 80;

/** The measured times of every step here, beside the model's for the plan's machine. */
export function RunSteps({ compiled, report }: Props) {
  const [isOpen, setOpen] = useState(false);
  const { seconds } = report;
  if (seconds === undefined) {
    return (
      <p className="run-part mut">
        {report.isSameSteps
          ? "This adapter has no clock for single steps, so they are not measured."
          : "On these sizes the program has other steps, so they are not measured one by one."}
      </p>
    );
  }
  const total = sum(seconds);
  return (
    <details
      className="run-part"
      data-testid="run-steps"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        Steps: {formatSeconds(total)} <span className="tag">measured here</span>
      </summary>
      {isOpen && <StepTimes compiled={compiled} report={report} seconds={seconds} />}
    </details>
  );
}

function StepTimes({ compiled, report, seconds }: Props & { readonly seconds: readonly number[] }) {
  const steps = allSteps(compiled.program);
  const operators = new Map(compiled.cost.operators.map((each) => [each.operator, each.seconds]));
  const modelOf = (step: FlatStep) =>
    step.kind === "local" ? operators.get(step.operator) : step.seconds;
  const named = stepNames(compiled);
  return (
    <>
      <table className="tbl">
        <TableHead names={["step", "model", "measured here"]} figuresFrom={1} />
        <tbody>
          {steps.slice(0, most).map((step, at) => {
            const [model, measured] = [modelOf(step), seconds[at]];
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a step is known by its place
              <tr key={at}>
                <td>{named(step)}</td>
                <td className="n">{model === undefined ? "unknown" : formatSeconds(model)}</td>
                <td className="n">{measured === undefined ? "" : measuredText(measured)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {steps.length > most && <p className="mut">and {steps.length - most} more steps</p>}
      <p className="mut">
        The model is of {compiled.hardware.name} at the sizes of the text. Measured is the time of
        all devices together on this machine, at the sizes of the run
        {report.engine.name === "webgpu" &&
          "; browsers round it, mostly to 0.1 ms, and the first run of a program has in it what the GPU does once per kernel"}
        . Neither can be taken for the other.
      </p>
    </>
  );
}

function measuredText(seconds: number): string {
  return seconds === 0 ? "too short" : formatSeconds(seconds);
}
