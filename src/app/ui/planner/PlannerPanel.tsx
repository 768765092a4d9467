import { Pin, X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { FoundPlan, PlanningStatus } from "#app/state/planning";
import { optimalityGap } from "#core/cost";
import { IconButton } from "../atoms/IconButton.tsx";
import { useApp } from "../store-context.tsx";
import { FirstMesh } from "./FirstMesh.tsx";
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
  /** The tensor panel has the same place. */
  readonly canBePinned?: true;
}

/** The planner's progress, its plan, or the reason why there is none. */
export function PlannerPanel({ onClose, canBePinned }: Props) {
  const planning = useApp((state) => state.planning);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Opened by its key while nothing had the focus, the panel takes it, so that Tab goes on inside
    // the panel and not at the top of the page.
    if (document.activeElement === document.body) panel.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div ref={panel} className="planner" tabIndex={-1}>
      <div className="planner-head">
        <h2>Plan</h2>
        <span className="planner-stand">
          <Stand planning={planning} />
        </span>
        {canBePinned && <PinButton />}
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
      {planning.kind === "idle" && <FirstMesh />}
      <MemoryLimit />
      <FreePlaces />
      <WhatIfSection />
      <WaysSection />
      <SurveySection />
      <p className="mut">
        Names in pin(…) stay as they are; layouts in place(…) stay where they are put.
      </p>
    </div>
  );
}

/** Keeps the planner open while tensors are selected. */
function PinButton() {
  const isPinned = useApp((state) => state.isPlanPinned);
  const pin = useApp((state) => state.pinPlan);
  return (
    <IconButton
      icon={Pin}
      size={16}
      name="Keep the plan here while tensors are selected"
      testId="plan-pin"
      aria-pressed={isPinned}
      onClick={() => pin(!isPinned)}
    />
  );
}

/** How much of the plan is chosen, and whether the text has it already. */
function Stand({ planning }: { readonly planning: PlanningStatus }) {
  const parts = useApp((state) => state.parts);
  const source = useApp((state) => state.document.source);
  if (planning.kind !== "done") return null;
  const { of, planned }: FoundPlan = planning;
  const isApplied = source === planned.source && source !== of;
  const all = parts?.parts.length ?? 0;
  const taken = parts?.parts.filter(({ key }) => !parts.left.has(key)).length ?? 0;
  return (
    <>
      {isApplied && <span>applied</span>}
      {all > 0 && (
        <span>
          {taken} of {all} changes
        </span>
      )}
    </>
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
