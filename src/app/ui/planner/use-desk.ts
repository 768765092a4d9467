import type { PlanDesk } from "#app/state/planning";
import { useAppStore } from "../store-context.tsx";

/** Calls the planner's controller once its code is loaded. */
export function useDesk(): (act: (desk: PlanDesk) => void) => void {
  const store = useAppStore();
  return (act) => {
    const { planDesk, say } = store.getState();
    void planDesk().then((desk) => {
      if (desk !== undefined) act(desk);
      else say({ kind: "refused", text: "The planner could not be loaded. Reload the page." });
    });
  };
}
