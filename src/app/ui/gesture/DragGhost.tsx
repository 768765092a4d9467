import { useMemo } from "react";
import { hueOf } from "#app/scene";
import { drawnIn, orientationIn } from "#app/scene/glyph";
import { shown, tensorView } from "#app/state";
import { shownLayout } from "#compile";
import type { DimGesture } from "#edit";
import { AxisChip } from "../atoms/AxisChip.tsx";
import { Glyph } from "../drawing/Glyph.tsx";
import { useApp } from "../store-context.tsx";
import { dropText } from "./delta.ts";
import { layoutAfter } from "./layout-after.ts";
import { previewOf } from "./same-gesture.ts";

/** Room for the words in CSS pixels; nearer to the edge they stand at the left of the pointer. */
const room = 320;
const glyphSize = { width: 72, height: 52 };

/** The chip under the pointer, with what a drop here would do: as a drawing and in words. */
export function DragGhost() {
  const drag = useApp((state) => state.drag);
  const mesh = useApp((state) => shown(state)?.mesh.mesh);
  const text = useApp(dropText);
  const isRefused = useApp(
    (state) => previewOf(state.previews.known, state.drag?.gesture)?.outcome.ok === false,
  );
  if (drag === undefined || mesh === undefined) return null;
  const isAtEdge = drag.x > window.innerWidth - room;
  return (
    <div
      className={`mchip-ghost ${isRefused ? "no" : ""} ${isAtEdge ? "left" : ""}`}
      style={{ left: drag.x, top: drag.y }}
      aria-hidden="true"
    >
      <AxisChip tag={{ text: drag.axis, hue: hueOf(mesh, drag.axis) }} />
      {text !== undefined && (
        <div className="say">
          {drag.gesture !== undefined && !isRefused && <After gesture={drag.gesture} />}
          <span>{text}</span>
        </div>
      )}
    </div>
  );
}

/** The tensor as it would lie. */
function After({ gesture }: { readonly gesture: DimGesture }) {
  const compiled = useApp(shown);
  const drawn = useMemo(() => {
    const tensor = compiled?.graph.tensors.find(({ id }) => id === gesture.tensor);
    const view = compiled && tensorView(compiled, gesture.tensor);
    if (compiled === undefined || tensor === undefined || view === undefined) return undefined;
    const layout = layoutAfter(shownLayout(view), gesture);
    const orientation = orientationIn(compiled, tensor, [layout]);
    return { ...drawnIn(compiled, tensor, layout), orientation };
  }, [compiled, gesture]);
  return drawn === undefined ? null : <Glyph tensor={drawn} size={glyphSize} />;
}
