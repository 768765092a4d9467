import { lazy, Suspense } from "react";
import { type CompiledStatus, drawn, isTrainingStep } from "#app/state";
import type { Compiled } from "#compile";
import { hasErrors } from "#core/diagnostics";
import { OneStop } from "../atoms/OneStop.tsx";
import { Segmented } from "../atoms/Segmented.tsx";
import { PlanDrawingSwitch, planDrawingOf } from "../board/PlanCanvas.tsx";
import { DifferenceLegend } from "../compare/DifferenceLegend.tsx";
import { TextNotes } from "../plans/TextNotes.tsx";
import { StatusLine } from "../StatusLine.tsx";
import { useApp } from "../store-context.tsx";
import { FaultTools } from "../top/FaultTools.tsx";
import { WorkNote } from "../top/WorkNote.tsx";

/** Strip above the canvas: notes, and the choices of how the plan and its tensors are drawn. */
export function CanvasNotes() {
  const areVariants = useApp((state) => state.areVariantsShown);
  return (
    <div className="canvas-top">
      <div className="canvas-notes">
        <StaleNote />
        <WorkNote />
        <TextNotes />
        <StatusLine />
      </div>
      {!areVariants && (
        <OneStop className="canvas-drawn" label="Drawing">
          <TrainingChoice />
          <PlanDrawingSwitch />
          <DrawingSwitch />
        </OneStop>
      )}
      {!areVariants && (
        <div className="canvas-legend">
          <DifferenceLegend />
        </div>
      )}
    </div>
  );
}

const TrainingSwitch = lazy(async () => ({
  default: (await import("./TrainingSwitch.tsx")).TrainingSwitch,
}));

/** Choice between the training step and the forward pass; only for a program that is trained. */
export function TrainingChoice() {
  const isTrained = useApp((state) => isTrainingStep(drawn(state)));
  if (!isTrained) return null;
  return (
    <Suspense>
      <TrainingSwitch />
    </Suspense>
  );
}

function StaleNote() {
  const compiled = useApp((state) => state.compiled);
  if (compiled.kind === "ready" && isPartial(compiled.shown)) {
    return (
      <p className="stale-note" role="status" data-testid="partial">
        Showing what can be read of this text
      </p>
    );
  }
  if (compiled.kind !== "stale" && compiled.kind !== "failed") return null;
  return (
    <p className="stale-note" role="status" data-testid="stale">
      <span className="status stale">
        <i aria-hidden="true" />
      </span>
      {staleText(compiled)}
      <FaultTools />
    </p>
  );
}

/** Whether a text with errors still gave a graph of the part that was read. */
function isPartial({ diagnostics, graph }: Compiled): boolean {
  return hasErrors(diagnostics) && graph.tensors.length > 0;
}

function staleText(status: Extract<CompiledStatus, { kind: "stale" | "failed" }>): string {
  if (status.kind === "stale") return "Showing the last valid version";
  const fault =
    status.message === "stopped"
      ? "This text was not worked out: it was stopped."
      : `This text could not be worked out (${status.message}).`;
  return status.shown === undefined ? fault : `${fault} Showing the last valid version`;
}

function DrawingSwitch() {
  const drawing = useApp((state) => state.tensorDrawing);
  const draw = useApp((state) => state.drawTensors);
  const isEmpty = useApp((state) => drawn(state)?.graph.tensors.length === 0);
  const isByRows = useApp((state) => planDrawingOf(state) === "rows");
  if (isEmpty || isByRows) return null;
  return (
    <Segmented label="Drawing of tensors" value={drawing} choices={drawings} onChange={draw} />
  );
}

const drawings = [
  ["whole", "Whole view"],
  ["device", "Device view"],
] as const;
