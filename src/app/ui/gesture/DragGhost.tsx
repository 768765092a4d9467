import { hueOf } from "#app/scene";
import { shown } from "#app/state";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { useApp } from "../store-context.tsx";
import { dropText } from "./delta.ts";

/** The chip under the pointer, with what a drop here would do. */
export function DragGhost() {
  const drag = useApp((state) => state.drag);
  const mesh = useApp((state) => shown(state)?.mesh.mesh);
  const text = useApp(dropText);
  if (drag === undefined || mesh === undefined) return null;
  return (
    <div className="mchip-ghost" style={{ left: drag.x, top: drag.y }} aria-hidden="true">
      <AxisChip tag={{ text: drag.axis, hue: hueOf(mesh, drag.axis) }} />
      {text !== undefined && <span className="say">{text}</span>}
    </div>
  );
}
