import { type AppState, shown } from "#app/state";
import type { OperatorId, Status, TensorId } from "#core/ir";
import { useApp, useShared } from "./store-context.tsx";

const plannedIds = (state: AppState) => state.plannedIds;

/** The origin of a value: the lines of the text that state it may be an applied plan's. */
export function useStatus(id: string, status: Status): Status | "planned" {
  return useShared(plannedIds).has(id) ? "planned" : status;
}

/** Whether the text pins an axis of the mesh, or the whole mesh. */
export function useIsAxisPinned(axis: string): boolean {
  return useApp((state) => shown(state)?.pinnedAxes?.includes(axis) === true);
}

const pinned = (state: AppState) => shown(state)?.pinned;

/** Whether the text pins an operator, or how a tensor lies. */
export function useIsPinned(id: OperatorId | TensorId): boolean {
  return useShared(pinned)?.includes(id) === true;
}
