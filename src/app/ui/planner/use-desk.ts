import type { PlanDesk } from "#app/state/planning";
import { useAppStore } from "../store-context.tsx";

/** Does something with the planner's desk, whose code may still have to come. */
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
