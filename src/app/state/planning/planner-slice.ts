import type { StateCreator } from "zustand/vanilla";
import type { Planner } from "#app/engine";
import {
  cancelled,
  type FoundPlan,
  memoryLimitOf,
  type PlanDesk,
  type PlannerFields,
  type PlannerSlice,
  type PlanningStatus,
} from "./planning.ts";

const unloaded = "The planner could not be loaded. Reload the page.";

/** Plans of the present text; the actions on results are those of the desk. */
export function plannerSlice(
  load: (() => Promise<Planner>) | undefined,
): StateCreator<PlannerFields, [], [], PlannerSlice> {
  return (set, get) => {
    const { planDesk, opened } = planDeskOf(load, set, get);
    return {
      planning: { kind: "idle" },
      isPlannerOpen: false,
      isPlanPinned: false,
      planShownAt: undefined,
      memoryLimit: undefined,
      whatIf: {},
      surveys: {},
      ways: undefined,
      parts: undefined,
      plannedLines: new Set(),
      plannedIds: new Set(),
      openPlanner: (isPlannerOpen) => {
        set({ isPlannerOpen });
        get().showPlan(isPlannerOpen);
        if (isPlannerOpen) get().showSheet("planner");
      },
      showPlan: (isShown) => set({ planShownAt: isShown ? { chosen: get().chosen } : undefined }),
      pinPlan: (isPlanPinned) => set({ isPlanPinned }),
      limitMemory: (memoryLimit) => set({ memoryLimit }),
      startPlan: async () => {
        if (load === undefined) return;
        const { source: of } = get().document;
        const begun = { kind: "searching", of, stage: "reading" } as const;
        const planning: PlanningStatus = { ...begun, ...lastOf(get()) };
        set({ planning });
        get().openPlanner(true);
        const found = await planDesk();
        if (get().planning !== planning) return;
        if (found === undefined) set({ planning: { kind: "idle", note: unloaded } });
        else await found.plan();
      },
      cancelPlan: () => {
        const desk = opened();
        if (desk !== undefined) return desk.cancel();
        // The planner's code is still loading.
        set({ planning: { kind: "idle", note: cancelled } });
        get().say({ kind: "said", text: cancelled });
      },
      planDesk,
      forgetPlan: () => opened()?.forget(),
    };
  };
}

/** The plan that was found last. */
function lastOf({ planning }: PlannerFields): { readonly last?: FoundPlan } {
  if (planning.kind === "done") return { last: planning };
  return "last" in planning && planning.last !== undefined ? { last: planning.last } : {};
}
