import { lazy, Suspense, useEffect } from "react";
import { isDrawnByRows, type PlanDrawing } from "#app/scene/board";
import { type AppState, drawn } from "#app/state";
import type { Compiled } from "#compile";
import { Segmented } from "../atoms/Segmented.tsx";
import { LateView, late } from "../late.tsx";
import { useApp, useAppStore } from "../store-context.tsx";

const graphCanvas = late(async () => (await import("../canvas/GraphCanvas.tsx")).GraphCanvas);
const board = late(async () => (await import("./Board.tsx")).Board);

/** Longer texts are nets of many operators, as a rule. */
const mostLinesAsGraph = 25;

/** The drawing that a text will have before it is worked out, as far as one can tell from outside. */
function likelyDrawing({ planDrawing, document }: AppState): PlanDrawing {
  const isLong = document.source.split("\n", mostLinesAsGraph + 1).length > mostLinesAsGraph;
  return planDrawing ?? (isLong ? "rows" : "graph");
}

/** Loads what draws the first plan while that is worked out. */
function useDrawingAhead(): void {
  const store = useAppStore();
  useEffect(() => {
    const likely = likelyDrawing(store.getState());
    if (likely === "rows") board.load();
    else graphCanvas.load();
  }, [store]);
}

/** How the plan is drawn: as the reader chose, or by the size of its program. */
export function planDrawingOf(state: AppState): PlanDrawing {
  const compiled = drawn(state);
  const isByRows = compiled !== undefined && isDrawnByRows(compiled);
  return state.planDrawing ?? (isByRows ? "rows" : "graph");
}

const Variants = lazy(async () => ({
  default: (await import("../compare/Variants.tsx")).Variants,
}));

/** The variants, whose code is loaded when they are asked for. */
export function VariantsLater({ compiled }: { readonly compiled: Compiled }) {
  return (
    <Suspense fallback={<div className="canvas" />}>
      <Variants compiled={compiled} />
    </Suspense>
  );
}

/** The program by rows or as a graph, or the variants in its place. */
export function PlanCanvas() {
  const drawing = useApp(planDrawingOf);
  const compiled = useApp(drawn);
  const areVariants = useApp((state) => state.areVariantsShown);
  useDrawingAhead();
  if (compiled === undefined) return <div className="canvas" />;
  if (areVariants) return <VariantsLater compiled={compiled} />;
  const isGraph = drawing === "graph" || compiled.graph.operators.length === 0;
  return (
    <Suspense fallback={<div className="canvas" />}>
      {isGraph ? (
        <LateView key="graph" of={graphCanvas} given={{}} />
      ) : (
        <LateView key="rows" of={board} given={{ compiled }} />
      )}
    </Suspense>
  );
}

/** Rows or boxes with lines, where there is something to draw. */
export function PlanDrawingSwitch() {
  const drawing = useApp(planDrawingOf);
  const draw = useApp((state) => state.drawPlan);
  const isEmpty = useApp((state) => (drawn(state)?.graph.operators.length ?? 0) === 0);
  if (isEmpty) return null;
  return (
    <Segmented label="Drawing of the plan" value={drawing} choices={drawings} onChange={draw} />
  );
}

const drawings = [
  ["rows", "Rows"],
  ["graph", "Graph"],
] as const;
