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

/** Plans of the present text; what is found, applied and forgotten is the desk's. */
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
        // The code of the planner is still on its way.
        set({ planning: { kind: "idle", note: cancelled } });
        get().say({ kind: "said", text: cancelled });
      },
      planDesk,
      forgetPlan: () => opened()?.forget(),
    };
  };
}

/** The desk of plans, whose code is loaded when it is first wanted, and again after it failed. */
function planDeskOf(
  load: (() => Promise<Planner>) | undefined,
  set: (fields: Partial<PlannerFields>) => void,
  get: () => PlannerFields,
) {
  let desk: PlanDesk | undefined;
  let opening: Promise<PlanDesk | undefined> | undefined;
  const open = async (): Promise<PlanDesk | undefined> => {
    if (load === undefined) return undefined;
    const [planner, { createPlanDesk }] = await Promise.all([load(), import("./plan-desk.ts")]);
    desk = createPlanDesk(planner, { set, get, limit: () => memoryLimitOf(get()) });
    return desk;
  };
  const planDesk = () => {
    opening ??= open().catch(() => {
      opening = undefined;
      return undefined;
    });
    return opening;
  };
  return { planDesk, opened: () => desk };
}

/** What was found last. */
function lastOf({ planning }: PlannerFields): { readonly last?: FoundPlan } {
  if (planning.kind === "done") return { last: planning };
  return "last" in planning && planning.last !== undefined ? { last: planning.last } : {};
}
