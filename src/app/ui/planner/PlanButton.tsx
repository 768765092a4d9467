import { Route } from "lucide-react";
import { useEffect, useState } from "react";
import { Icon } from "../atoms/Icon.tsx";
import { useApp } from "../store-context.tsx";

/** Looks for the fastest plan of the text, and says beside the canvas what it has found. */
export function PlanButton() {
  return (
    <div className="menu-wrap planner-wrap">
      <StartButton />
    </div>
  );
}

/** The planner in the place of a tensor, beside the canvas or below it. */
export function PlanPlace({ canBePinned }: { readonly canBePinned?: true }) {
  const open = useApp((state) => state.openPlanner);
  const Panel = usePanel(true);
  return (
    <section className="planner-place" aria-label="Planner">
      {Panel !== undefined && (
        <Panel onClose={() => open(false)} {...(canBePinned && { canBePinned })} />
      )}
    </section>
  );
}

/** The button as a part of the costs, if the head of the page has no room. */
export function PlanSection() {
  const isOpen = useApp((state) => state.isPlannerOpen);
  const Panel = usePanel(isOpen);
  return (
    <section className="planner-section" aria-label="Planner">
      <StartButton />
      {isOpen && Panel !== undefined && <Panel />}
    </section>
  );
}

const load = async () => (await import("./PlannerPanel.tsx")).PlannerPanel;

/** The panel, once its code is there. Behind a Suspense it would come 300 ms later than it could. */
function usePanel(isOpen: boolean) {
  const [panel, setPanel] = useState<{ Panel?: Awaited<ReturnType<typeof load>>; fault?: unknown }>(
    {},
  );
  useEffect(() => {
    if (!isOpen) return;
    load().then(
      (Panel) => setPanel({ Panel }),
      (fault: unknown) => setPanel({ fault }),
    );
  }, [isOpen]);
  if (panel.fault !== undefined) throw panel.fault;
  return panel.Panel;
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
      onPointerEnter={load}
      onFocus={load}
      onClick={() => void start()}
    >
      <Icon icon={Route} size={15} />
      Plan
    </button>
  );
}
