import { hueOf } from "#app/scene";
import { shown } from "#app/state";
import { useApp } from "../store-context.tsx";

/** CSS class that shows dims as targets of the armed or dragged axis; empty without one. */
export function useTargetsClass(): string {
  const axis = useApp((state) => state.drag?.axis ?? state.armedAxis);
  const mesh = useApp((state) => shown(state)?.mesh.mesh);
  if (axis === undefined || mesh === undefined) return "";
  return `targets-on a${hueOf(mesh, axis)}`;
}
