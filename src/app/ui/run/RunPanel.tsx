import { shown } from "#app/state";
import type { TensorId } from "#core/ir";
import { useApp } from "../store-context.tsx";
import { RunBreak } from "./RunBreak.tsx";
import { RunHow } from "./RunHow.tsx";
import { RunOutcome } from "./RunOutcome.tsx";
import { RunSteps } from "./RunSteps.tsx";
import { RunTensors } from "./RunTensors.tsx";

interface Props {
  /** Where the focus goes when a cell is shown and this panel gives way. */
  readonly focusOn?: (tensor: TensorId) => string;
}

/** How the plan is run here, what the last run says, and what its steps took. */
export function RunPanel({ focusOn }: Props) {
  const run = useApp((state) => state.run);
  const compiled = useApp(shown);
  const report = run.kind === "done" && run.verdict.kind !== "refused" ? run.verdict : undefined;
  return (
    <section className="run" aria-label="Run" data-testid="run-panel">
      <RunHow />
      <RunOutcome run={run} {...(focusOn !== undefined && { focusOn })} />
      {report !== undefined && compiled !== undefined && (
        <>
          <RunTensors report={report} />
          <RunSteps compiled={compiled} report={report} />
        </>
      )}
      {compiled !== undefined && <RunBreak compiled={compiled} />}
    </section>
  );
}
