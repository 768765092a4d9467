import { useEffect, useRef } from "react";
import { shown } from "#app/state";
import type { TensorId } from "#core/ir";
import { useApp } from "../store-context.tsx";
import { RunBreak } from "./RunBreak.tsx";
import { RunHow } from "./RunHow.tsx";
import { RunOutcome } from "./RunOutcome.tsx";
import { RunSteps } from "./RunSteps.tsx";
import { RunTensors } from "./RunTensors.tsx";

interface Props {
  /** The id of the element to focus when a cell is selected, since this panel is then replaced. */
  readonly focusOn?: (tensor: TensorId) => string;
}

/** The settings of a run, the result of the last one, and the times of its steps. */
export function RunPanel({ focusOn }: Props) {
  const run = useApp((state) => state.run);
  const compiled = useApp(shown);
  const report = run.kind === "done" && run.verdict.kind !== "refused" ? run.verdict : undefined;
  const outcome = useRef<HTMLDivElement>(null);
  const before = useRef(run.kind);
  useEffect(() => {
    // A run started elsewhere may end while only the settings are in sight.
    if (before.current === "running" && run.kind !== "running")
      outcome.current?.scrollIntoView({ block: "nearest" });
    before.current = run.kind;
  }, [run.kind]);
  return (
    <section className="run" aria-label="Run" data-testid="run-panel">
      <RunHow />
      <div ref={outcome}>
        <RunOutcome run={run} {...(focusOn !== undefined && { focusOn })} />
        {report !== undefined && compiled !== undefined && <RunTensors report={report} />}
      </div>
      {report !== undefined && compiled !== undefined && (
        <RunSteps compiled={compiled} report={report} />
      )}
      {compiled !== undefined && <RunBreak compiled={compiled} />}
    </section>
  );
}
