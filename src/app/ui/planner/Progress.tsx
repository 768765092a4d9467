import type { PlanDesk } from "#app/state/planning";
import { Bar } from "./Searching.tsx";
import { useDesk } from "./use-desk.ts";

interface Props {
  /** What is planned, for assistive technology: `Plans of meshes`. */
  readonly label: string;
  readonly done: number;
  /** 0 while the total is unknown. */
  readonly total: number;
  readonly text: string;
  /** Prefix of the elements' test ids: `survey` has `survey-progress` and `survey-cancel`. */
  readonly testId: string;
  readonly onStop: (desk: PlanDesk) => void;
}

/** The progress of planning many plans, with a button that stops it. */
export function Progress({ label, done, total, text, testId, onStop }: Props) {
  const withDesk = useDesk();
  return (
    <div data-testid={`${testId}-progress`}>
      <div className="planner-progress">
        <p>{text}</p>
        <button
          type="button"
          className="btn line"
          data-testid={`${testId}-cancel`}
          onClick={() => withDesk(onStop)}
        >
          Stop
        </button>
      </div>
      <Bar label={label} at={done} of={total} text={text} />
    </div>
  );
}
