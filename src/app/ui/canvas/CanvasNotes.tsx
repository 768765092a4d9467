import { Segmented } from "../atoms/Segmented.tsx";
import { StatusLine } from "../StatusLine.tsx";
import { useApp } from "../store-context.tsx";

/** Above the canvas: what has to be said, and how tensors are drawn. */
export function CanvasNotes() {
  return (
    <div className="canvas-top">
      <div className="canvas-notes">
        <StaleNote />
        <StatusLine />
      </div>
      <DrawingSwitch />
    </div>
  );
}

function StaleNote() {
  const compiled = useApp((state) => state.compiled);
  if (compiled.kind !== "stale" && compiled.kind !== "failed") return null;
  return (
    <p className="stale-note" role="status" data-testid="stale">
      <span className="status stale">
        <i aria-hidden="true" />
      </span>
      {compiled.kind === "stale"
        ? "Showing the last valid version"
        : `Showing the last valid version: ${compiled.message}`}
    </p>
  );
}

function DrawingSwitch() {
  const drawing = useApp((state) => state.tensorDrawing);
  const draw = useApp((state) => state.drawTensors);
  return (
    <Segmented label="Drawing of tensors" value={drawing} choices={drawings} onChange={draw} />
  );
}

const drawings = [
  ["whole", "Whole view"],
  ["device", "Device view"],
] as const;
