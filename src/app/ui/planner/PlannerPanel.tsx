import { X } from "lucide-react";
import type { PlanningStatus } from "#app/state";
import { optimalityGap } from "#core/cost";
import { IconButton } from "../atoms/IconButton.tsx";
import { useApp } from "../store-context.tsx";
import { Found } from "./Found.tsx";
import { FreePlaces } from "./FreePlaces.tsx";
import { MemoryLimit } from "./MemoryLimit.tsx";
import { NoPlan } from "./NoPlan.tsx";
import { Searching } from "./Searching.tsx";
import { SurveySection } from "./SurveySection.tsx";
import { WaysSection } from "./WaysSection.tsx";
import { WhatIfSection } from "./WhatIfSection.tsx";

interface Props {
  readonly onClose?: () => void;
}

/** What the planner does, has found, or why there is no plan. */
export function PlannerPanel({ onClose }: Props) {
  const planning = useApp((state) => state.planning);
  return (
    <div className="planner">
      <div className="planner-head">
        <h2>Fastest plan</h2>
        {onClose !== undefined && (
          <IconButton icon={X} size={16} name="Close the planner" onClick={onClose} />
        )}
      </div>
      <div
        className="planner-status"
        data-testid="plan-status"
        data-status={planning.kind}
        aria-busy={planning.kind === "searching"}
        {...figures(planning)}
      >
        <Status planning={planning} />
      </div>
      <MemoryLimit />
      <FreePlaces />
      <WhatIfSection />
      <WaysSection />
      <SurveySection />
      <p className="mut">
        What pin(…) names stays as it is, and what place(…) says stays where it is put.
      </p>
    </div>
  );
}

function figures(planning: PlanningStatus) {
  if (planning.kind !== "done") return {};
  const { planned } = planning;
  return { "data-objective": planned.seconds, "data-gap": optimalityGap(planned) };
}

function Status({ planning }: { readonly planning: PlanningStatus }) {
  switch (planning.kind) {
    case "idle":
      return <p>{planning.note ?? "Nothing is planned yet."}</p>;
    case "searching":
      return <Searching {...planning} />;
    case "done":
      return <Found {...planning} />;
    case "infeasible":
      return <NoPlan {...planning} />;
  }
}
