import { CircleSlash } from "lucide-react";
import type { PlanShortage } from "#app/engine";
import { formatBytes } from "#app/scene/text";
import type { PlanningStatus } from "#app/state/planning";
import { Icon } from "../atoms/Icon.tsx";
import { useApp } from "../store-context.tsx";

type Infeasible = Extract<PlanningStatus, { kind: "infeasible" }>;

/** The reason why there is no plan, and what would help. */
export function NoPlan({ message, leastBytes, limit, shortage, isExplaining }: Infeasible) {
  const limitMemory = useApp((state) => state.limitMemory);
  const start = useApp((state) => state.startPlan);
  if (leastBytes === undefined || limit === undefined) {
    return (
      <p className="bad">
        <Icon icon={CircleSlash} size={14} />
        <span>No plan: {message}.</span>
      </p>
    );
  }
  const raise = () => {
    limitMemory(leastBytes);
    void start();
  };
  return (
    <>
      <p className="bad">
        <Icon icon={CircleSlash} size={14} />
        <span>
          No plan fits into {formatBytes(limit)} per device: {formatBytes(leastBytes - limit)}{" "}
          short.
        </span>
      </p>
      <p>The leanest plan takes {formatBytes(leastBytes)} on its fullest device.</p>
      {isExplaining === true && <p className="mut">Trying what would do …</p>}
      {shortage !== undefined && <Shortage {...shortage} />}
      <div className="planner-buttons">
        <button type="button" className="btn line" data-testid="plan-raise" onClick={raise}>
          Plan within {formatBytes(leastBytes)}
        </button>
      </div>
    </>
  );
}

/** The bytes of the leanest plan, and the single changes that would make it fit. */
function Shortage({ holds, largest, remedies, untried }: PlanShortage) {
  return (
    <div className="planner-shortage" data-testid="plan-shortage">
      <h3>What it holds</h3>
      <p>{holds.map(({ what, bytes }) => `${what} ${formatBytes(bytes)}`).join(", ")}.</p>
      <p>
        Most of all:{" "}
        {largest
          .map(({ name, what, bytes }) => `${name} (${what}) ${formatBytes(bytes)}`)
          .join(", ")}
        .
      </p>
      <h3>What would do</h3>
      {remedies.length === 0 ? (
        <p>No single change that was tried.</p>
      ) : (
        <ul>
          {remedies.map(({ text, bytes }) => (
            <li key={text}>
              {text}: {formatBytes(bytes)} per device
            </li>
          ))}
        </ul>
      )}
      {untried.length > 0 && <p className="mut">Not tried: {untried.join("; ")}.</p>}
    </div>
  );
}
