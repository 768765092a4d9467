import { CircleSlash } from "lucide-react";
import { formatBytes } from "#app/scene";
import type { PlanningStatus } from "#app/state";
import { Sign } from "../atoms/Sign.tsx";
import { useApp } from "../store-context.tsx";

type Infeasible = Extract<PlanningStatus, { kind: "infeasible" }>;

/** Why no plan is there, and what would do. */
export function NoPlan({ message, leastBytes, limit }: Infeasible) {
  const limitMemory = useApp((state) => state.limitMemory);
  const start = useApp((state) => state.startPlan);
  if (leastBytes === undefined || limit === undefined) {
    return (
      <p className="bad">
        <Sign icon={CircleSlash} size={14} />
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
        <Sign icon={CircleSlash} size={14} />
        <span>
          No plan fits into {formatBytes(limit)} per device: {formatBytes(leastBytes - limit)}{" "}
          short.
        </span>
      </p>
      <p>
        The leanest plan takes {formatBytes(leastBytes)} on its fullest device. More devices, a
        larger limit or smaller tensors would do; a pin or a place(…) may stand in the way.
      </p>
      <div className="planner-buttons">
        <button type="button" className="btn line" data-testid="plan-raise" onClick={raise}>
          Plan within {formatBytes(leastBytes)}
        </button>
      </div>
    </>
  );
}
