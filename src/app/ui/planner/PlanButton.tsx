import { Route } from "lucide-react";
import { useEffect, useState } from "react";
import { Icon } from "../atoms/Icon.tsx";
import { useApp } from "../store-context.tsx";

/** Searches for the fastest plan of the text; the result is shown beside the canvas. */
export function PlanButton() {
  return (
    <div className="menu-wrap planner-wrap">
      <StartButton />
    </div>
  );
}

/** The planner, in place of the tensor panel beside or below the canvas. */
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

/** The button among the costs, where the head of the page has no room. */
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

/** The panel, once its code is loaded; a Suspense would show it up to 300 ms later. */
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
