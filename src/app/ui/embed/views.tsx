import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { drawnIn } from "#app/scene/glyph";
import { formatBytes, planHead } from "#app/scene/text";
import { diagnosticsOf, drawn, selectedTensor, shown, tensorView } from "#app/state";
import { shownLayout } from "#compile";
import { capitalized } from "#core/diagnostics";
import { PlanCanvas } from "../board/PlanCanvas.tsx";
import { TrainingChoice } from "../canvas/CanvasNotes.tsx";
import { FrameDrawing } from "../drawing/FrameDrawing.tsx";
import { Glyph } from "../drawing/Glyph.tsx";
import { Asked } from "../lesson/asked.tsx";
import { OperatorPicture } from "../player/OperatorStill.tsx";
import type { Player } from "../player/use-player.ts";
import { useTravel } from "../player/use-travel.ts";
import { summaryOf } from "../program/Problems.tsx";
import { DeviceGrid } from "../side/DeviceGrid.tsx";
import { useApp } from "../store-context.tsx";
import { useHeight } from "../timeline/use-height.ts";
import { tensorSentence } from "../words.ts";

const RunView = lazy(async () => ({ default: (await import("./RunView.tsx")).RunView }));
const StepTimeline = lazy(async () => ({
  default: (await import("../timeline/StepTimeline.tsx")).StepTimeline,
}));

/** The canvas, with its switches where there is room. */
export function GraphView() {
  return (
    <>
      <PlanCanvas />
      <div className="canvas-top">
        <TrainingChoice />
      </div>
    </>
  );
}

/** A step as the player draws it; the plan where there is none to draw. */
export function StepPicture({ player }: { readonly player: Player | undefined }) {
  const travel = useTravel(player?.frame, player?.phase ?? "move");
  if (player?.operator !== undefined) {
    return (
      <div className="embed-step" data-testid="embed-step">
        <OperatorPicture operator={player.operator} />
      </div>
    );
  }
  if (player?.frame === undefined) return <GraphView />;
  return (
    <div className="embed-step" data-testid="embed-step">
      <FrameDrawing frame={player.frame} phase={player.phase} share={travel.share} />
    </div>
  );
}

/** The size of the drawing of a tensor, lower where its sentence needs the room. */
const glyphSize = () => ({ width: 260, height: Math.max(64, Math.min(150, innerHeight - 176)) });

/** The selected tensor, drawn large, with its sentence. */
export function TensorPicture() {
  const compiled = useApp(drawn);
  const tensor = useApp(selectedTensor);
  const bytes = useApp((state) => shown(state)?.cost.bytes);
  const view = compiled && tensor && tensorView(compiled, tensor.id);
  const [size] = useState(glyphSize);
  const layout = view && shownLayout(view);
  const drawing = useMemo(
    () => compiled && layout && tensor && drawnIn(compiled, tensor, layout),
    [compiled, layout, tensor],
  );
  if (drawing === undefined || tensor === undefined || view === undefined) return null;
  const sentence = tensorSentence(tensor, view);
  return (
    <div className="embed-tensor">
      <Glyph
        tensor={drawing}
        size={size}
        options={{ showIds: true, showNames: true }}
        label={sentence}
      />
      <p>{sentence}</p>
      {bytes !== undefined && (
        <p className="mut">
          The plan sends <Asked of="comm">{formatBytes(bytes)}</Asked> a device.
        </p>
      )}
    </div>
  );
}

/** The axes and the devices. */
export function MeshView() {
  const compiled = useApp(shown);
  return (
    <section className="embed-panel" aria-label="Mesh" data-testid="embed-mesh">
      {compiled !== undefined && (
        <>
          <p className="embed-mesh-head">{planHead(compiled)}</p>
          <DeviceGrid mesh={compiled.mesh.mesh} hardware={compiled.hardware} />
        </>
      )}
    </section>
  );
}

/** The run of the plan here, on every device, compared with the unsharded program. */
export function RunsView() {
  return (
    <div className="embed-panel" data-testid="embed-run">
      <Suspense fallback={null}>
        <RunView />
      </Suspense>
    </div>
  );
}

/**
 * Height of the key above the drawing of a step in time and of the readout below it, in CSS pixels.
 */
const around = 58;

/** One step of the plan in time. */
export function TimelineView() {
  const compiled = useApp(drawn);
  const body = useRef<HTMLDivElement>(null);
  const height = useHeight(body, 160);
  return (
    <div className="embed-time timeline-body" ref={body} data-testid="embed-timeline">
      {compiled !== undefined && (
        <Suspense fallback={null}>
          <StepTimeline compiled={compiled} height={Math.max(80, height - around)} />
        </Suspense>
      )}
    </div>
  );
}

/**
 * The page's words about its text: numbers of errors and warnings, the worst in words, and whether
 * the plan is stale.
 */
export function Faults() {
  const diagnostics = useApp(diagnosticsOf);
  const isStale = useApp((state) => state.compiled.kind === "stale");
  const worst =
    diagnostics.find(({ severity }) => severity === "error") ??
    diagnostics.find(({ severity }) => severity === "warning");
  if (worst === undefined) return null;
  return (
    <p className="embed-faults" role="status" data-severity={worst.severity}>
      <b className="num">{summaryOf(diagnostics)}.</b> {capitalized(worst.message)}.
      {isStale && <span data-testid="stale"> Showing the last valid version.</span>}
    </p>
  );
}
