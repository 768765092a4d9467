import { lazy, Suspense, useEffect } from "react";
import { isDrawnByRows, type PlanDrawing } from "#app/scene/board";
import { type AppState, drawn } from "#app/state";
import type { Compiled } from "#compile";
import { Segmented } from "../atoms/Segmented.tsx";
import { LateView, late } from "../late.tsx";
import { useApp, useAppStore } from "../store-context.tsx";

const graphCanvas = late(async () => (await import("../canvas/GraphCanvas.tsx")).GraphCanvas);
const board = late(async () => (await import("./Board.tsx")).Board);

/**
 * Most lines of a text that is expected to be drawn as a graph; longer texts mostly have many
 * operators.
 */
const mostLinesAsGraph = 25;

/**
 * Expected drawing of a text before it is compiled: the user's choice, else a guess by its length.
 */
function likelyDrawing({ planDrawing, document }: AppState): PlanDrawing {
  const isLong = document.source.split("\n", mostLinesAsGraph + 1).length > mostLinesAsGraph;
  return planDrawing ?? (isLong ? "rows" : "graph");
}

/** Loads the code of the expected drawing while the first plan is compiled. */
function useDrawingAhead(): void {
  const store = useAppStore();
  useEffect(() => {
    const likely = likelyDrawing(store.getState());
    if (likely === "rows") board.load();
    else graphCanvas.load();
  }, [store]);
}

/** Drawing of the plan: the user's choice, else by the size of the program. */
export function planDrawingOf(state: AppState): PlanDrawing {
  const compiled = drawn(state);
  const isByRows = compiled !== undefined && isDrawnByRows(compiled);
  return state.planDrawing ?? (isByRows ? "rows" : "graph");
}

const Variants = lazy(async () => ({
  default: (await import("../compare/Variants.tsx")).Variants,
}));

/** Side-by-side variants; their code is loaded on demand. */
export function VariantsLater({ compiled }: { readonly compiled: Compiled }) {
  return (
    <Suspense fallback={<div className="canvas" />}>
      <Variants compiled={compiled} />
    </Suspense>
  );
}

/** Canvas of the plan: rows or graph, or the variants in its place. */
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

/** Switch between rows and graph; hidden for a plan without operators. */
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
