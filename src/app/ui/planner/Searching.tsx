import type { PlanStage } from "#app/state";
import { useApp } from "../store-context.tsx";

const stages: readonly PlanStage[] = ["reading", "searching", "writing"];

const words: Readonly<Record<PlanStage, string>> = {
  reading: "reading the program",
  searching: "weighing every strategy of every operator",
  writing: "writing the plan as text",
};

/** How far a search is, and how to end it. */
export function Searching({ stage }: { readonly stage: PlanStage }) {
  const cancel = useApp((state) => state.cancelPlan);
  const at = stages.indexOf(stage);
  return (
    <>
      <p>
        Searching, {at + 1} of {stages.length}: {words[stage]}
      </p>
      <div
        className="bar"
        role="progressbar"
        aria-label="Search"
        aria-valuemin={0}
        aria-valuemax={stages.length}
        aria-valuenow={at}
        aria-valuetext={words[stage]}
      >
        <i className="f-ink" style={{ width: `${(100 * at) / stages.length}%` }} />
      </div>
      <div className="planner-buttons">
        <button type="button" className="btn line" data-testid="plan-cancel" onClick={cancel}>
          Cancel
        </button>
      </div>
    </>
  );
}
