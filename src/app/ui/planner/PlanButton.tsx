import { Route } from "lucide-react";
import { lazy, Suspense } from "react";
import { Popover } from "../atoms/Popover.tsx";
import { Sign } from "../atoms/Sign.tsx";
import { useApp } from "../store-context.tsx";

const PlannerPanel = lazy(async () => ({
  default: (await import("./PlannerPanel.tsx")).PlannerPanel,
}));

/** Looks for the fastest plan of the text, and says in a panel below what it has found. */
export function PlanButton() {
  const isOpen = useApp((state) => state.isPlannerOpen);
  const open = useApp((state) => state.openPlanner);
  return (
    <div className="menu-wrap planner-wrap">
      <StartButton />
      <Suspense fallback={null}>
        {isOpen && (
          <Popover className="planner-pop" label="Planner" onClose={() => open(false)}>
            <PlannerPanel onClose={() => open(false)} />
          </Popover>
        )}
      </Suspense>
    </div>
  );
}

/** The same as a part of the costs, where the head of the page has no room. */
export function PlanSection() {
  const isOpen = useApp((state) => state.isPlannerOpen);
  return (
    <section className="planner-section" aria-label="Planner">
      <StartButton />
      <Suspense fallback={null}>{isOpen && <PlannerPanel />}</Suspense>
    </section>
  );
}

function StartButton() {
  const isOpen = useApp((state) => state.isPlannerOpen);
  const start = useApp((state) => state.startPlan);
  return (
    <button
      type="button"
      className="btn line planner-start"
      data-testid="plan-start"
      aria-expanded={isOpen}
      title="Look for the fastest plan of this program (P)"
      onClick={() => void start()}
    >
      <Sign icon={Route} size={15} />
      Plan
    </button>
  );
}
