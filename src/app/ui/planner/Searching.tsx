import type { PlanStage } from "#app/engine";
import type { FoundPlan } from "#app/state/planning";
import { useApp } from "../store-context.tsx";
import { Found } from "./Found.tsx";

const stages: readonly PlanStage[] = ["reading", "searching", "writing"];

const words: Readonly<Record<PlanStage, string>> = {
  reading: "reading the program",
  searching: "weighing every strategy of every operator",
  writing: "writing the plan as text",
};

interface Props {
  readonly stage: PlanStage;
  readonly best?: FoundPlan;
  readonly last?: FoundPlan;
}

/** The progress of a search, a button that ends it, and the best plan so far. */
export function Searching({ stage, best, last }: Props) {
  const cancel = useApp((state) => state.cancelPlan);
  const at = stages.indexOf(stage);
  return (
    <>
      <div className="planner-progress">
        <p>
          Searching, {at + 1} of {stages.length}: {words[stage]}
        </p>
        <button type="button" className="btn line" data-testid="plan-cancel" onClick={cancel}>
          {best === undefined ? "Cancel" : "Stop and keep best"}
        </button>
      </div>
      <Bar label="Search" at={at} of={stages.length} text={words[stage]} />
      <SoFar {...(best && { best })} {...(last && { last })} />
    </>
  );
}

interface BarProps {
  readonly label: string;
  readonly at: number;
  readonly of: number;
  readonly text: string;
}

/** The progress of a part of the work. */
export function Bar({ label, at, of, text }: BarProps) {
  return (
    <div
      className="bar"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={at}
      aria-valuetext={text}
    >
      <i className="f-ink" style={{ width: `${of === 0 ? 0 : (100 * at) / of}%` }} />
    </div>
  );
}

/** The result so far: the best plan of the search, else the plan found before. */
function SoFar({ best, last }: Omit<Props, "stage">) {
  const found = best ?? last;
  if (found === undefined) return null;
  return (
    <div className="planner-so-far" data-testid="plan-so-far">
      <h3>{best === undefined ? "Found before" : "Best so far"}</h3>
      <Found {...found} {...(best !== undefined && { isStopped: true })} />
    </div>
  );
}
