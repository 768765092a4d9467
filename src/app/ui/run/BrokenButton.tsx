import type { RunFault } from "#app/engine";
import { shown } from "#app/state";
import { faultIn } from "#app/state/run";
import { useApp } from "../store-context.tsx";

/** Runs the plan with a planned fault; absent where the plan has no place for it. */
export function PlannedButton() {
  const compiled = useApp(shown);
  const planned = useApp((state) => state.plannedFault);
  const fault = compiled && planned && faultIn(compiled, planned);
  return fault && <BrokenButton fault={fault} />;
}

/** Runs the plan with a fault. */
export function BrokenButton({ fault }: { readonly fault: RunFault }) {
  const startRun = useApp((state) => state.startRun);
  const isRunning = useApp((state) => state.run.kind === "running");
  return (
    <button
      type="button"
      className="btn line"
      data-testid="run-broken"
      // A disabled button would lose the focus.
      aria-disabled={isRunning}
      onClick={isRunning ? undefined : () => void startRun(fault)}
    >
      Run it broken
    </button>
  );
}
