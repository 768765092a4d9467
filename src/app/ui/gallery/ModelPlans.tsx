import { formatBytes, formatSeconds } from "#app/scene/text";
import type { ModelFigures, PlanFigures } from "./model-figures.ts";

interface Props {
  readonly figures: ModelFigures;
  readonly id: string;
  /** Opens the text and has the planner plan it. */
  readonly onPlan: () => void;
}

/**
 * The plan of a model's text beside the planner's: time, exposed communication, memory of a device.
 */
export function ModelPlans({ figures, id, onPlan }: Props) {
  const { hand, planned, memoryBytes } = figures;
  const longest = Math.max(hand.seconds, planned?.seconds ?? 0);
  return (
    <div className="example-plans" id={id}>
      <Plan name="By hand" plan={hand} longest={longest} memoryBytes={memoryBytes} />
      {planned === undefined ? (
        <p>The planner finds none faster.</p>
      ) : (
        <Plan
          name={`Planner's, ${gainText(1 - planned.seconds / hand.seconds)}`}
          plan={planned}
          longest={longest}
          memoryBytes={memoryBytes}
          onPlan={onPlan}
        />
      )}
    </div>
  );
}

interface PlanProps {
  readonly name: string;
  readonly plan: PlanFigures;
  readonly longest: number;
  readonly memoryBytes: number;
  /** Opens the text and finds the plan; for the planner's plan only. */
  readonly onPlan?: () => void;
}

/**
 * A bar of the time, hatched for the part in which devices wait for communication, with its
 * figures.
 */
function Plan({ name, plan, longest, memoryBytes, onPlan }: PlanProps) {
  const { seconds, exposedSeconds } = plan;
  const width = (part: number) => ({ width: `${(100 * part) / longest}%` });
  return (
    <p>
      <span className="example-plan-name">{name}</span>{" "}
      {onPlan !== undefined && (
        <button type="button" className="lk example-open-plan" onClick={onPlan}>
          Plan it
        </button>
      )}{" "}
      <b>{formatSeconds(seconds)}</b>{" "}
      <span className="example-bar" aria-hidden="true">
        <i className="f-ink" style={width(seconds - exposedSeconds)} />
        <i className="exposed" style={width(exposedSeconds)} />
      </span>
      <span>
        {exposedText(exposedSeconds / seconds)} exposed, {formatBytes(plan.memoryBytes)} of{" "}
        {formatBytes(memoryBytes)}
      </span>
    </p>
  );
}

/** A smaller share of the time is written as `under 0.1 %`. */
const least = 0.001;

function exposedText(part: number): string {
  if (part < least) return part === 0 ? "nothing" : "under 0.1 %";
  return `${percent(part)} %`;
}

function gainText(part: number): string {
  return `${percent(part)} % less time`;
}

/**
 * A gain rounded down, to whole per cents or below ten to tenths, so that it is never overstated.
 */
function percent(part: number): number {
  const steps = part < 0.1 ? 10 : 1;
  return Math.floor(100 * part * steps + 1e-9) / steps;
}
